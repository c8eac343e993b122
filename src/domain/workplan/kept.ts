/** What a note says in place of a text that shows code, where the item is read by more people than the code (spec 2: What agents may read). */

import { sayIn } from './locale.ts';
import type { TextKey } from './locales/en.ts';
import { line, link, mentionOf } from './markdown.ts';

export interface KeptNote {
  kind: 'question' | 'gate' | 'plan' | 'end';
  language: string;
  /** Username of whom the note is for. */
  mention: string | null;
  /** Where the service shows what is not said here; null: not known. */
  url: string | null;
  provider: string;
}

const TITLES = {
  question: 'questionOne',
  gate: 'gateTitle',
  plan: 'planReady',
  end: 'endFailed',
} as const satisfies Record<KeptNote['kind'], TextKey>;
/** What to do next is said all the same. */
const NEXT = {
  question: 'thenContinue',
  gate: 'gateContinue',
  plan: null,
  end: 'hintEnded',
} as const satisfies Record<KeptNote['kind'], TextKey | null>;

/** Markdown without the marker. Nothing in it comes from an agent. */
export function renderKept(note: KeptNote): string {
  const say = sayIn(note.language);
  const who = note.mention === null ? '' : `${mentionOf(note.mention)} — `;
  const next = NEXT[note.kind];
  const parts = [
    `#### 🔒 ${say(TITLES[note.kind])}`,
    `${who}${say('kept')}`,
    note.url === null ? '' : link(say('keptLink'), note.url),
    next === null ? '' : say(next),
    `<sub>${say('providedBy', { provider: line(note.provider) })}</sub>`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
