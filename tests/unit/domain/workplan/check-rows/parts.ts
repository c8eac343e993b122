/** What rows of failing and corrected plans are made of. */
import type { PlanFacts } from '../../../../../src/domain/workplan/plan-facts.ts';
import type { Decision, Finding, Unit, UnitFile, Workplan } from '../../../../../src/domain/workplan/schema.ts';
import { plan, unit } from '../plans.ts';

const FILES: Record<string, number> = { 'src/orders.ts': 900, 'src/app.ts': 3, 'docs/Guide.md': 20, 'logo.png': 0 };
const SPELLED: Record<string, string> = { 'docs/guide.md': 'docs/Guide.md', 'SRC/x.ts': 'src/x.ts' };
export const COMMIT = 'abc'.padEnd(40, '0');
export const FACTS: PlanFacts = {
  fileLines: (path) => FILES[path] ?? null,
  spelled: (path) => SPELLED[path] ?? null,
  commit: COMMIT,
  projectUrl: 'https://gitlab.example.com/acme/sample',
  answered: new Set(['background']),
  asked: new Set(['background', 'format']),
};
export const DECISIONS: Decision[] = [
  { text: 'In the background.', questionId: 'background', confirmed: true },
  { text: 'CSV.', questionId: 'format', confirmed: false },
];
export const URL = `https://gitlab.example.com/acme/sample/-/blob/${COMMIT}/src/orders.ts#L1-4`;

export function good(changes: Partial<Workplan>): Workplan {
  return plan({ findings: [], decisions: DECISIONS, ...changes });
}
export const existing = (...paths: string[]): UnitFile[] => paths.map((path) => ({ path, state: 'existing' }));
export const made = (...paths: string[]): UnitFile[] => paths.map((path) => ({ path, state: 'new' }));
/** Units A and B; A covers everything that is asked for. */
export function units(a: Partial<Unit>, b: Partial<Unit> = {}): Partial<Workplan> {
  return { units: [unit('A', { covers: ['R1', 'R2'], ...a }), unit('B', { covers: ['R2'], ...b })] };
}
export function chain(first: Partial<Unit>, last: Partial<Unit>): Partial<Workplan> {
  return {
    units: [
      unit('A', { covers: ['R1'], ...first }),
      unit('B', { covers: ['R1'], dependsOn: ['A'] }),
      unit('C', { covers: ['R2'], dependsOn: ['B'], ...last }),
    ],
  };
}
export function finding(changes: Partial<Finding>): Partial<Workplan> {
  return { findings: [{ text: 'Here.', path: 'src/orders.ts', startLine: 1, endLine: 4, ...changes }] };
}
export function decided(...more: Decision[]): Partial<Workplan> {
  return { decisions: [...DECISIONS, ...more] };
}
export function sourced(source: string): Partial<Workplan> {
  return {
    requirements: [
      { id: 'R1', text: 'Orders can be exported.', source },
      { id: 'R2', text: 'The export is CSV.', source: 'note_34' },
    ],
  };
}
export function named(first: string, second: string): Partial<Workplan> {
  const requirements = [first, second].map((id) => ({ id, text: 'Export.', source: 'description' }));
  return { requirements, units: [unit('A', { covers: [first, second] })] };
}

export const many = (count: number) => made(...Array.from({ length: count }, (_, index) => `new/${index}.ts`));

/** A check, what is wrong, the plan that fails it, what the planner is told, and the corrected plan. */
export type Row = [code: string, what: string, wrong: Partial<Workplan>, told: RegExp, right: Partial<Workplan>];
