import { defineConfig } from 'vitest/config';

interface Lane {
  name: string;
  workers: number;
  timeoutMs: number;
}

// In this order, one after the other: what is quick to fail comes first. Recovery kills processes and the browser draws pages;
// on two cores each of them has the machine to itself.
const lanes: Lane[] = [
  { name: 'unit', workers: 2, timeoutMs: 10_000 },
  { name: 'contract', workers: 2, timeoutMs: 60_000 },
  { name: 'services', workers: 2, timeoutMs: 60_000 },
  { name: 'e2e', workers: 2, timeoutMs: 120_000 },
  { name: 'recovery', workers: 1, timeoutMs: 180_000 },
  { name: 'browser', workers: 1, timeoutMs: 120_000 },
];

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: lanes.map((lane, index) => ({
      test: {
        name: lane.name,
        include: [`tests/${lane.name}/**/*.test.ts`],
        environment: 'node',
        pool: 'forks',
        // Unit tests neither mock modules nor keep state in them: sharing a process saves most of their time.
        isolate: lane.name !== 'unit',
        maxWorkers: lane.workers,
        sequence: { groupOrder: index },
        testTimeout: lane.timeoutMs,
        hookTimeout: lane.timeoutMs,
      },
    })),
  },
});
