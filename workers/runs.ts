import { serve } from '../src/server.ts';

await serve(['runs']);
