/** The notes on an item other than the Workplan (spec 2: Notes on the item). Each answer is Markdown without the marker. */
import { sayIn } from './locale.ts';
import type { TextKey } from './locales/en.ts';
import { reasonText } from './locales/reasons.ts';
import { block, code, line, link, list, mentionOf } from './markdown.ts';
import { renderPayload } from './payload.ts';
import type { Question, QuestionOption } from './schema.ts';

const KEYCAPS = ['1️⃣', '2️⃣', '3️⃣', '4️⃣', '5️⃣', '6️⃣', '7️⃣', '8️⃣', '9️⃣', '🔟'];
const ICONS: Record<string, string> = {
  GENERATING: '🔄',
  NEEDS_INPUT: '✋',
  COMPLETED: '✅',
  CANCELED: '⏹️',
  FAILED: '❌',
  NOT_STARTED: '⚪',
};

export interface QuestionNote {
  question: Question;
  language: string;
  /** Username of who started the run, in the first of several questions. */
  mention: string | null;
  format: 'hidden' | 'duo';
  number: number;
  total: number;
  /** Label of who asks, e.g. `offline (rule-based)`. */
  provider: string;
}

export function renderQuestion(note: QuestionNote): string {
  const { question } = note;
  const say = sayIn(note.language);
  const title = note.total > 1 ? say('questionTitle', { number: note.number, total: note.total }) : say('questionOne');
  const parts = [`#### ❓ ${title}: ${line(question.question)}`];
  if (note.mention !== null) parts.push(`${mentionOf(note.mention)} — ${say('askedFor')}`);
  parts.push(`**${say('whyItMatters')}:** ${line(question.why)}`);
  if (question.type === 'closed') {
    parts.push(question.options.map((option, index) => optionLine(option, index, say('recommended'))).join('\n'));
    parts.push(`**${say('recommendation')}:** ${line(question.recommendation)}`);
  } else {
    parts.push(`**${say('proposedAnswer')}:**`, block(question.recommendation));
  }
  const way = question.type === 'open' ? 'answerOpen' : question.multiple ? 'answerMultiple' : 'answerClosed';
  const last = KEYCAPS[question.options.length - 1] ?? '';
  const emojis = question.options.length === 2 ? `${KEYCAPS[0]} ${last}` : `${KEYCAPS[0]} … ${last}`;
  parts.push(`**${say('howToAnswer')}**\n\n${list([say(way, { emojis }), say('thenContinue')])}`);
  parts.push(signature(note.provider, note.language), renderPayload(question, note.format));
  return parts.join('\n\n');
}

function optionLine(option: QuestionOption, index: number, recommended: string): string {
  const label = option.recommended ? `**${line(option.label)}** ⭐ *${recommended}*` : line(option.label);
  const description = option.description ? `\\\n   ${line(option.description)}` : '';
  return `${index + 1}. ${label}${description}`;
}

/** Why a run waits (spec 2: generationStatus). */
type Waiting = 'question' | 'context_gate' | 'approval' | 'budget';

export interface StatusNote {
  status: string;
  /** Of NEEDS_INPUT: what it waits for. */
  pause?: Waiting | null;
  /** A code a person can act on. */
  reason?: string | null;
  message?: string;
  language: string;
  movement?: string | null;
  iteration?: number;
  maxIterations?: number;
  openQuestions?: number;
  scoreStatus?: string;
  /** It waits for its turn, behind so many runs of the project. */
  ahead?: number | null;
  provider: string;
  planUrl?: string | null;
  pageUrl?: string | null;
  /** Usernames of who started the run and left the project since, and of who is told in their place. */
  left?: { starter: string; name: string } | null;
}

/** The one status note of a run. */
export function renderStatus(note: StatusNote): string {
  const say = sayIn(note.language);
  const status = statusKey(note.status);
  const facts: string[] = [];
  const waits = status === 'GENERATING' && typeof note.ahead === 'number';
  if (waits) facts.push(say('waitsForTurn', { n: note.ahead ?? 0 }));
  else if (status === 'GENERATING' && note.movement) facts.push(say('movement', { movement: code(note.movement) }));
  if (note.iteration && status === 'GENERATING' && !waits) {
    const { iteration: n, maxIterations: max } = note;
    facts.push(max === undefined ? say('iteration', { n }) : say('iterationOf', { n, max }));
  }
  if (note.openQuestions && status === 'NEEDS_INPUT') facts.push(say('openCount', { n: note.openQuestions }));
  if (status === 'COMPLETED' && note.scoreStatus === 'FAILED') facts.push(say('scoreFailed'));
  // Beside a Workplan that says it is ready, so that both say the same.
  if (status === 'CANCELED' && note.scoreStatus === 'CANCELED') facts.push(say('scoreStopped'));
  const links = [
    note.planUrl && link(say('planLink'), note.planUrl),
    note.pageUrl && link(say('pageLink'), note.pageUrl),
  ];
  const parts = [[`**${ICONS[status]} ${say(`status${status}`)}**`, ...facts, ...links.filter(Boolean)].join(' · ')];
  if (note.reason) parts.push(reasonLine(note.language, note.reason, note.message));
  if (note.left) parts.push(say('starterLeft', { starter: line(note.left.starter), name: line(note.left.name) }));
  parts.push([say(hintOf(status, note.pause ?? 'question')), reactionsHint(status, note)].filter(Boolean).join(' '));
  parts.push(signature(note.provider, note.language));
  return parts.join('\n\n');
}

function hintOf(status: StatusKey, pause: Waiting): TextKey {
  if (status === 'NEEDS_INPUT') return HINTS[pause];
  return status === 'GENERATING' ? 'hintGENERATING' : 'hintEnded';
}

/** What a reaction to this note does now (spec 2: Actions); an approval takes words. */
function reactionsHint(status: StatusKey, { pause, language }: StatusNote): string {
  if (status !== 'GENERATING' && status !== 'NEEDS_INPUT') return '';
  const goesOn = status === 'NEEDS_INPUT' && pause !== 'approval';
  const reactions = [...(goesOn ? ['▶️ `continue`'] : []), '⏹️ `cancel`'].join(', ');
  return sayIn(language)('orReact', { reactions });
}

const HINTS = {
  question: 'hintNEEDS_INPUT',
  context_gate: 'hintGate',
  approval: 'hintApproval',
  budget: 'hintBudget',
} as const;

type StatusKey = 'GENERATING' | 'NEEDS_INPUT' | 'COMPLETED' | 'CANCELED' | 'FAILED' | 'NOT_STARTED';

function statusKey(status: string): StatusKey {
  if (Object.hasOwn(ICONS, status)) return status as StatusKey;
  throw new Error(`Unknown generationStatus ${status}: expected one of ${Object.keys(ICONS).join(', ')}.`);
}

export interface GateNote {
  missing: readonly string[];
  language: string;
  mention: string | null;
  /** Asked before, and the description reads as it did then. */
  unchanged?: boolean;
  /** Label of who asks. */
  provider: string;
}

/** The context gate's request, without payload: what is missing, to be added to the description. With nothing missing it asks for approval. */
export function renderGate(note: GateNote): string {
  const say = sayIn(note.language);
  const who = note.mention === null ? '' : `${mentionOf(note.mention)} — `;
  const by = signature(note.provider, note.language);
  if (note.missing.length === 0) return `#### 🔎 ${say('approvalTitle')}\n\n${who}${say('approvalText')}\n\n${by}`;
  const missing = list(note.missing.map((text) => line(text)));
  return `#### 🔎 ${say('gateTitle')}\n\n${who}${say(note.unchanged ? 'gateUnchanged' : 'gateText')}\n\n${missing}\n\n${say('gateContinue')}\n\n${by}`;
}

export interface EndNote {
  status: string;
  reason: string | null;
  message: string;
  language: string;
  mention: string | null;
  /** Who ended it. */
  by: { username: string } | string | null;
  provider?: string;
}

export function renderEnd(note: EndNote): string {
  const say = sayIn(note.language);
  const status = statusKey(note.status.toUpperCase());
  const key = status === 'COMPLETED' ? 'endCompleted' : status === 'CANCELED' ? 'endCanceled' : 'endFailed';
  const by = typeof note.by === 'string' ? note.by : note.by?.username;
  const who = note.mention === null ? '' : mentionOf(note.mention);
  const head = [`**${ICONS[status]} ${say(key)}**`, by ? say('byPerson', { name: line(by) }) : '', who];
  const parts = [
    head.filter((part) => part !== '').join(' '),
    note.reason ? reasonLine(note.language, note.reason, note.message) : line(note.message),
    status === 'COMPLETED' ? '' : say('hintEnded'),
    note.provider ? signature(note.provider, note.language) : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Tells of a plan that stands in the description. `url`: the item's page. */
export function renderPlanReady(note: {
  language: string;
  mention: string | null;
  url: string | null;
  provider: string;
}): string {
  const say = sayIn(note.language);
  const who = note.mention === null ? '' : `${mentionOf(note.mention)} — `;
  const head = `**✅ ${say('planReady')}**`;
  const where = note.url === null ? '' : ` ${link(say('planLink'), note.url)}`;
  return `${head}\n\n${who}${say('planReadyDescription')}${where}\n\n${signature(note.provider, note.language)}`;
}

/** A reply to a command that was refused: told once, with the stable code. */
export function renderRefusal(note: { code: string; message: string; language: string }): string {
  const { text, detail } = reasonText(note.language, note.code, note.message);
  const parts = [`⚠️ **${sayIn(note.language)('refused')}** (${code(note.code)})`, block(text)];
  if (detail !== '') parts.push(block(detail));
  return parts.join('\n\n');
}

function reasonLine(language: string, reason: string, message = ''): string {
  const { text, detail } = reasonText(language, reason, message);
  const said = [text, detail].filter((part) => part !== '').map((part) => line(part));
  return [`**${sayIn(language)('reason')}:** ${code(reason)}`, ...said].join(' — ');
}

function signature(provider: string, language: string): string {
  return `<sub>${sayIn(language)('providedBy', { provider: line(provider) })}</sub>`;
}
