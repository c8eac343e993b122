/** The one reminder of a pause (spec 2: a pause has its own optional expiry and a reminder). */
import { sayIn } from './locale.ts';
import { line, mentionOf } from './markdown.ts';

export interface ReminderNote {
  kind: 'question' | 'context_gate' | 'approval' | 'budget';
  language: string;
  /** Username of who started the run. */
  mention: string | null;
  provider: string;
  /** When the pause ends the run, ISO 8601; null: it waits for ever. */
  expiresAt: string | null;
}

const TEXTS = {
  question: 'reminderQuestion',
  context_gate: 'reminderGate',
  approval: 'reminderApproval',
  budget: 'reminderBudget',
} as const;

export function renderReminder(note: ReminderNote): string {
  const say = sayIn(note.language);
  const who = note.mention === null ? '' : `${mentionOf(note.mention)} — `;
  const parts = [`#### ⏳ ${say('reminderTitle')}`, `${who}${say(TEXTS[note.kind])}`];
  if (note.expiresAt !== null)
    parts.push(say('reminderExpiry', { date: note.expiresAt.slice(0, 16).replace('T', ' ') }));
  parts.push(`<sub>${say('providedBy', { provider: line(note.provider) })}</sub>`);
  return parts.join('\n\n');
}
