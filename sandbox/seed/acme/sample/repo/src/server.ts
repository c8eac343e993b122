import { buildApp } from './app.ts';
import { loadConfig } from './config.ts';
import { startShipmentSync } from './jobs/shipment-sync.ts';
import { openDatabase } from './store/database.ts';

const config = loadConfig(process.env);
const database = openDatabase(config.databaseUrl);
const { app, trackingService } = buildApp({ config, database });

const stopSync = startShipmentSync({ trackingService, everyMinutes: 15, logger: app.log });

process.once('SIGTERM', async () => {
  stopSync();
  await app.close();
  await database.end();
});

await app.listen({ port: config.port, host: '0.0.0.0' });
