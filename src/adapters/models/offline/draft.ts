/** A doubt about an item, before it is a question of the flow's shape. */
export interface Draft {
  /** Names the kind and the subject; the id is made of it, so the same doubt has the same id in every round. */
  kind: string;
  subject: string;
  question: string;
  why: string;
  options: { label: string; description?: string }[];
  /** Index into `options`; ignored for an open question (no options). */
  recommended: number;
  reason: string;
  /** What the question is about, for finding the requirements it touches and questions asked before. */
  about: string;
}
