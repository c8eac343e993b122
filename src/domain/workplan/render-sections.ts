/** The sections of a Workplan note. Every text of the plan goes through `line`, `block` or `code`. */
import { visibleText } from '../text/characters.ts';
import { breakClosing } from '../text/inline.ts';
import { redactSecrets } from '../text/secrets.ts';
import { layers } from './graph.ts';
import type { Say } from './locale.ts';
import { block, clip, code, details, line, link, list, table } from './markdown.ts';
import type { Decision, Finding, Unit, Workplan } from './schema.ts';

/** How much of a plan is shown: longest text, most items of a list, most findings. */
export interface Detail {
  text: number;
  items: number;
  findings: number;
}

/** From this number on findings are folded. */
const FOLD_FINDINGS = 6;

export function contextSection(plan: Workplan, say: Say, detail: Detail): string[] {
  const rows = plan.requirements.map(({ id, text, source }) => [
    code(id),
    line(text, detail.text),
    sourceText(source, say),
  ]);
  const parts = [`#### ${say('requirements')}`, table(['', say('requirement'), say('source')], rows)];
  if (plan.findings.length > 0) {
    const title = say('findings');
    const findings = list(some(plan.findings, detail.findings, say, (finding) => findingLine(finding, detail)));
    if (plan.findings.length >= FOLD_FINDINGS) parts.push(details(`${title} (${plan.findings.length})`, findings));
    else parts.push(`#### ${title}`, findings);
  }
  return parts;
}

function findingLine({ text, path, startLine, endLine, url }: Finding, detail: Detail): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
  return `${line(text, detail.text)} — ${link(code(`${path}:${lines}`), url)}`;
}

/** `description`, `description#L12`, `note_34`, `answer:ID`; anything else as it is. */
function sourceText(source: string, say: Say): string {
  if (source === 'description') return say('sourceDescription');
  const place = /^description#L(\d{1,7})$/.exec(source)?.[1];
  if (place) return say('sourceLine', { n: place });
  if (/^note_\d{1,15}$/.test(source)) return link(say('sourceComment'), `#${source}`);
  if (source.startsWith('answer:')) return `${say('sourceAnswer')} ${code(source.slice(7), { inTable: true })}`;
  return line(source, 100);
}

export function howSection(plan: Workplan, say: Say, detail: Detail): string[] {
  const parts = [
    ...titled(
      say('decisions'),
      some(plan.decisions, detail.items, say, (decision) => decisionLine(decision, say, detail)),
    ),
    ...titled(
      say('risks'),
      some(plan.risks, detail.items, say, (text) => line(text, detail.text)),
    ),
    ...titled(
      say('outOfScope'),
      some(plan.outOfScope, detail.items, say, (text) => line(text, detail.text)),
    ),
  ];
  return parts.length === 0 ? [] : [`### ${say('how')}`, ...parts];
}

function decisionLine({ text, questionId, confirmed }: Decision, say: Say, detail: Detail): string {
  const state = [
    say(confirmed ? 'confirmed' : 'notConfirmed'),
    ...(questionId === undefined ? [] : [code(questionId)]),
  ];
  return `${confirmed ? '✅' : '❔'} ${line(text, detail.text)} *(${state.join(', ')})*`;
}

/** The units and what each waits for. Node names are ours, titles are escaped, so nothing of a plan is read as Mermaid. */
export function mermaid(plan: Workplan): string {
  const names = new Map(plan.units.map((unit, index) => [unit.id, `u${index + 1}`]));
  const lines = ['```mermaid', 'flowchart LR'];
  for (const unit of plan.units)
    lines.push(`  ${names.get(unit.id)}["${mermaidText(unit.id)}: ${mermaidText(unit.title)}"]`);
  for (const unit of plan.units)
    for (const id of new Set(unit.dependsOn)) {
      const before = names.get(id);
      if (before !== undefined) lines.push(`  ${before} --> ${names.get(unit.id)}`);
    }
  return [...lines, '```'].join('\n');
}

/** What ends a label, begins markup, an entity or a mention in one, and what stands for it. */
const MERMAID_CHARS: Readonly<Record<string, string>> = {
  '"': "'",
  '`': "'",
  '<': '‹',
  '>': '›',
  ';': ',',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '|': '¦',
  '\\': '/',
  $: '＄',
  '@': '＠',
};

function mermaidText(text: string): string {
  const shown = clip(breakClosing(redactSecrets(visibleText(text)).replace(/\s+/g, ' '), true), 80);
  return shown.replace(/["`<>;[\]{}|\\$@]/g, (char) => MERMAID_CHARS[char] ?? ' ');
}

export function unitSection(unit: Unit, say: Say, detail: Detail): string {
  const files = some(unit.files, detail.items * 2, say, ({ path, state }) =>
    state === 'new' ? `${code(path)} (*${say('newFile')}*)` : code(path),
  );
  const ids = (list: readonly string[]) => list.map((id) => code(id));
  const facts: [string, string[]][] = [
    [say('files'), files],
    [say('covers'), ids(unit.covers)],
    [say('dependsOn'), ids(unit.dependsOn)],
    [say('runsBeside'), ids(unit.parallelWith)],
  ];
  const known = facts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `**${name}:** ${values.join(', ')}`);
  return [
    `#### ${code(unit.id)} ${line(unit.title)} · ${say('size')} ${unit.size}`,
    block(unit.why, detail.text),
    ...(known.length > 0 ? [list(known)] : []),
    ...bold(
      say('acceptance'),
      some(unit.acceptance, detail.items, say, (text) => line(text, detail.text)),
    ),
    ...bold(
      say('verify'),
      some(unit.verify, detail.items, say, (text) => line(text, detail.text)),
    ),
  ].join('\n\n');
}

export function parallelSection(plan: Workplan, say: Say): string[] {
  const pairs = parallelPairs(plan).filter((ofUnit) => ofUnit.length > 0);
  if (pairs.length === 0) return [say('parallelNone')];
  const steps = layers(new Map(plan.units.map((unit) => [unit.id, unit.dependsOn])));
  const rows = steps.map((ids, index) => [say('step', { n: index + 1 }), ids.map((id) => code(id)).join(', ')]);
  return [
    `${say('parallelPairs')}\n\n${list(pairs.map((ofUnit) => ofUnit.join(', ')))}`,
    `${say('parallelIntro')}\n\n${list(rows.map(([step, units]) => `${step}: ${units}`))}`,
  ];
}

/** Pairs that may run side by side, by unit, each once: what may run beside one unit need not run beside another one. */
function parallelPairs(plan: Workplan): string[][] {
  const known = new Set(plan.units.map((unit) => unit.id));
  const seen = new Set<string>();
  return plan.units.map((unit) =>
    unit.parallelWith.flatMap((other) => {
      const key = JSON.stringify([unit.id, other].sort());
      if (!known.has(other) || other === unit.id || seen.has(key)) return [];
      seen.add(key);
      return [`${code(unit.id)} ∥ ${code(other)}`];
    }),
  );
}

export function assumptionsSection(plan: Workplan, say: Say, detail: Detail): string[] {
  const assumed = plan.decisions.filter((decision) => !decision.confirmed);
  const parts: string[] = [];
  if (assumed.length > 0)
    parts.push(list(some(assumed, detail.items, say, (decision) => decisionLine(decision, say, detail))));
  parts.push(
    ...titled(
      say('openQuestions'),
      some(plan.openQuestions, detail.items, say, (text) => line(text, detail.text)),
    ),
  );
  return parts.length > 0 ? parts : [say('assumptionsNone')];
}

function titled(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : [`#### ${title}`, list(items)];
}

function bold(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : [`**${title}**\n\n${list(items)}`];
}

/** The first `max` items as Markdown, and how many more there are. */
function some<T>(items: readonly T[], max: number, say: Say, show: (item: T) => string): string[] {
  const shown = items.slice(0, max).map(show);
  return items.length > max ? [...shown, say('more', { n: items.length - max })] : shown;
}
