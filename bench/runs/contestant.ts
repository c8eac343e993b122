/** A process of its own for Planwright, so that it is measured as its peers are: `node bench/runs/contestant.ts POSTGRES_URL PLAN REDIS_URL`. */
import { measure } from '../peers/measure.mjs';
import { createPlanwright } from './planwright.ts';

const [postgres = '', plan = '{}', redis = ''] = process.argv.slice(2);
const contestant = await createPlanwright({ postgres: postgres === 'embedded' ? null : postgres, redis });
const figures = await measure(contestant, JSON.parse(plan));
process.stdout.write(`${JSON.stringify(figures)}\n`);
await contestant.close();
process.exit(0);
