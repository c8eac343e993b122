/** The question a note carries for programs (spec 2: wire format), hidden in a comment or shown as a fence that GitLab draws as a card. */
import { redactDeep } from '../text/secrets.ts';
import { Question } from './schema.ts';

const HIDDEN = /^ {0,3}<!-- duo-question (\{.*\}) -->[ \t]*$/m;
const FENCED = /^ {0,3}```json:duo-question[^\n]*\n([^`]*)^ {0,3}```/m;

/** The payload in one line of JSON whose texts cannot end a comment or a fence, mention anybody or begin a line. */
export function renderPayload(question: Question, format: 'hidden' | 'duo'): string {
  const payload = {
    id: question.id,
    type: question.type,
    question: question.question,
    why: question.why,
    multiple: question.multiple,
    options: question.options,
    recommendation: question.recommendation,
  };
  const json = JSON.stringify(redactDeep(payload)).replace(
    /[<>&@`#$\-\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}/gu,
    escapeUnit,
  );
  return format === 'duo' ? `\`\`\`json:duo-question\n${json}\n\`\`\`` : `<!-- duo-question ${json} -->`;
}

/** The question of a note's text; null: it carries none, or not a valid one. */
export function parsePayload(body: string): Question | null {
  const json = HIDDEN.exec(body)?.[1] ?? FENCED.exec(body.replaceAll('\r\n', '\n'))?.[1];
  if (json === undefined) return null;
  try {
    return Question.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

function escapeUnit(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
