/** LangGraph with its PostgreSQL saver on the same work: six nodes of 2 kB, an interrupt after the third, Command({resume}). */
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { measure, OUTPUT } from './measure.mjs';

const [url, plan] = process.argv.slice(2);
const saver = PostgresSaver.fromConnString(url);
await saver.setup();

const State = Annotation.Root({ text: Annotation(), answer: Annotation() });
const graph = new StateGraph(State);
const names = ['m1', 'm2', 'm3', 'ask', 'm4', 'm5', 'm6'];
for (const name of names) {
  graph.addNode(
    name,
    name === 'ask' ? () => ({ answer: interrupt('an answer?') }) : () => ({ text: `${OUTPUT} ${name}` }),
  );
}
graph.addEdge(START, 'm1');
for (let index = 1; index < names.length; index += 1) graph.addEdge(names[index - 1], names[index]);
graph.addEdge('m6', END);
const app = graph.compile({ checkpointer: saver });

const figures = await measure(
  {
    name: 'LangGraph + PostgresSaver',
    async run(number) {
      const config = { configurable: { thread_id: `run-${process.pid}-${number}` } };
      await app.invoke({ text: '' }, config);
      const end = await app.invoke(new Command({ resume: 'go on' }), config);
      if (!end.text.endsWith('m6')) throw new Error('the run did not end');
    },
  },
  JSON.parse(plan),
);
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
