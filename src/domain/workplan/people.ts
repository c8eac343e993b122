/** People, items and what people said (spec 2: Who may, Questions and replies). */
import { z } from 'zod';
import type { Question } from './schema.ts';

/** A GitLab user. `role` is the role's name in the item's project, where it is known. */
export const Person = z.object({
  id: z.number().int(),
  username: z.string(),
  name: z.string().optional(),
  role: z.string().optional(),
});
export type Person = z.infer<typeof Person>;

/** The work item a run belongs to. `globalId` is GitLab's id over all projects, `reference` e.g. `acme/sample#2`. */
export const ItemRef = z.object({
  globalId: z.number().int(),
  projectId: z.number().int(),
  projectPath: z.string(),
  iid: z.number().int(),
  title: z.string(),
  webUrl: z.string(),
  reference: z.string(),
  /** When the run began; absent: not. */
  confidential: z.boolean().optional(),
});
export type ItemRef = z.infer<typeof ItemRef>;

/** An eligible reply to a question, as read from GitLab at Continue (design: Shapes). */
export const Answer = z.object({
  questionId: z.string(),
  by: Person,
  optionIds: z.array(z.string()),
  text: z.string(),
  via: z.enum(['reply', 'emoji', 'marker', 'page', 'carried']),
});
export type Answer = z.infer<typeof Answer>;

/** A question that was put to people in a run, with what they answered. */
export interface AskedQuestion {
  question: Question;
  pauseId: string;
  state: 'open' | 'answered';
  answers: Answer[];
  /** True when the run went on without an eligible answer (spec 2: best assumptions). */
  assumed: boolean;
}
