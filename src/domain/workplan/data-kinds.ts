/** The kinds of data a movement can hand over (`produces`, spec 1: Extensions) and the schema each is checked against. */
import type { z } from 'zod';
import { ContextRequest, Questions, Research, Review, Workplan } from './schema.ts';
import { Coverage, Defect, Examination, Rubric } from './score-schema.ts';

export const DATA_SCHEMAS = {
  questions: Questions,
  research: Research,
  context_request: ContextRequest,
  workplan: Workplan,
  review: Review,
  score: Rubric,
  coverage: Coverage,
  defect: Defect,
  examination: Examination,
} as const;

export type DataKind = keyof typeof DATA_SCHEMAS;
export type DataOf<K extends DataKind> = z.infer<(typeof DATA_SCHEMAS)[K]>;

/** What a movement produced: its kind, and the value as the kind's schema returned it. */
export type Produced = { [K in DataKind]: { kind: K; value: DataOf<K> } }[DataKind];

export function isDataKind(name: string): name is DataKind {
  return Object.hasOwn(DATA_SCHEMAS, name);
}
