/** The Workplan note (spec 2: Workplan and score): Why, Context, How, What, Parallel work, Assumptions, then the score. Overwritten whole. */
import { type Say, sayIn } from './locale.ts';
import { block, line, mentionOf } from './markdown.ts';
import { type ScoreShown, scoreLabel, scoreSection } from './render-score.ts';
import {
  assumptionsSection,
  contextSection,
  type Detail,
  howSection,
  mermaid,
  parallelSection,
  unitSection,
} from './render-sections.ts';
import type { Workplan } from './schema.ts';

export interface WorkplanNote extends ScoreShown {
  plan: Workplan;
  language: string;
  /** Username to mention once. */
  starter: string | null;
  /** Label of who planned, e.g. `offline (rule-based)`. */
  provider: string;
  commit: string | null;
  revision: number;
}

/** UTF-8 bytes, with room for the marker that is put after the text. */
export const MAX_NOTE_BYTES = 128 * 1024 - 512;

/** From everything to little; the first that fits is taken. */
const DETAILS: readonly Detail[] = [
  { text: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY, findings: Number.POSITIVE_INFINITY },
  { text: 600, items: 20, findings: 60 },
  { text: 240, items: 8, findings: 20 },
  { text: 100, items: 3, findings: 5 },
];

/** Markdown of at most 128 KiB; what had to be left out is said. */
export function renderWorkplan(note: WorkplanNote): string {
  const say = sayIn(note.language);
  for (const detail of DETAILS) {
    const notice = detail === DETAILS[0] ? [] : [cutNotice(say, 'cutDetails')];
    const text = [...blocks(note, say, detail), ...scoreSection(note, say), ...notice].join('\n\n');
    if (bytes(text) <= MAX_NOTE_BYTES) return text;
  }
  return cutAtEnd(note, say, DETAILS.at(-1) ?? { text: 100, items: 3, findings: 5 });
}

function blocks(note: WorkplanNote, say: Say, detail: Detail): string[] {
  const { plan } = note;
  return [
    header(note, say),
    `### ${say('why')}`,
    block(plan.goal, detail.text * 4),
    `### ${say('context')}`,
    ...contextSection(plan, say, detail),
    ...howSection(plan, say, detail),
    `### ${say('what')}`,
    mermaid(plan),
    ...plan.units.map((unit) => unitSection(unit, say, detail)),
    `### ${say('parallel')}`,
    ...parallelSection(plan, say),
    `### ${say('assumptions')}`,
    ...assumptionsSection(plan, say, detail),
  ];
}

function header(note: WorkplanNote, say: Say): string {
  const facts = [scoreLabel(note, say), say('revision', { n: note.revision }), line(note.provider)];
  if (note.commit !== null && /^[0-9a-f]{7,64}$/i.test(note.commit)) facts.push(`\`${note.commit.slice(0, 8)}\``);
  const starter = note.starter === null ? '' : `${mentionOf(note.starter)} — ${say('planReady')}\n\n`;
  return `## 🧭 ${say('workplan')}\n\n${starter}${facts.join(' · ')}`;
}

/** The last resort: whole blocks from the start as far as they fit, then the score, then the notice. */
function cutAtEnd(note: WorkplanNote, say: Say, detail: Detail): string {
  const tail = [...scoreSection(note, say), cutNotice(say, 'cutEnd')].join('\n\n');
  const kept: string[] = [];
  let size = bytes(tail);
  for (const part of blocks(note, say, detail)) {
    size += bytes(part) + 2;
    if (size > MAX_NOTE_BYTES) break;
    kept.push(part);
  }
  return [...kept, tail].join('\n\n');
}

function cutNotice(say: Say, what: 'cutDetails' | 'cutEnd'): string {
  return `> ✂️ ${say('cut', { what: say(what) })}`;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
