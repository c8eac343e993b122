/** DBOS Transact on the same work: a workflow of six steps of 2 kB with one recv after the third. */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { measure, OUTPUT } from './measure.mjs';

const [url, plan] = process.argv.slice(2);

async function work() {
  let text = '';
  for (let step = 1; step <= 6; step += 1) {
    text = await DBOS.runStep(async () => `${OUTPUT} ${step}`, { name: `m${step}` });
    if (step === 3) await DBOS.recv('continue', 60);
  }
  return text.length;
}
const workflow = DBOS.registerWorkflow(work, { name: 'six-steps' });

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: url,
  systemDatabasePoolSize: 20,
  logLevel: 'error',
  runAdminServer: false,
});
await DBOS.launch();
const figures = await measure(
  {
    name: 'DBOS Transact',
    async run(number) {
      const id = `run-${process.pid}-${number}`;
      const handle = await DBOS.startWorkflow(workflow, { workflowID: id })();
      await DBOS.send(id, 'go on', 'continue');
      await handle.getResult();
    },
  },
  JSON.parse(plan),
);
process.stdout.write(`${JSON.stringify(figures)}\n`);
await DBOS.shutdown();
process.exit(0);
