/** A Probot server that verifies and dispatches deliveries and stores nothing: `node probot.mjs PORT SECRET`. */
import { generateKeyPairSync } from 'node:crypto';
import { Probot, Server } from 'probot';

const [port, secret] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
const server = new Server({
  host: '127.0.0.1',
  port: Number(port),
  Probot: Probot.defaults({ appId: 1, privateKey, secret, logLevel: 'fatal' }),
});
await server.load((app) => {
  app.on('issue_comment.created', async () => undefined);
});
await server.start();
