/** The notations of a rule's condition, read by one grammar (spec 1: Rules). `when` has one of its own. */
import type { Condition } from './types.ts';

type ParsedCondition = { ok: true; condition: Condition } | { ok: false; message: string };

const CALL = /^(ai|all|any)(\s*)\(/;
/** Escapes that mean another character; before anything else a backslash stays as written. */
const ESCAPES: Record<string, string> = { '"': '"', "'": "'", '\\': '\\', n: '\n', t: '\t' };

/**
 * Reads a condition: plain text, `ai("…")`, `all("…", …)` or `any("…", …)`, with both quote signs, escapes and white
 * space anywhere between the parts. Plain text stays plain as long as it does not look like one of the calls.
 * The texts of the result are trimmed. Never throws; linear in the text.
 */
export function parseCondition(text: string): ParsedCondition {
  const source = text.trim();
  if (source === '')
    return { ok: false, message: 'the condition is empty; give a text, ai("…"), all("…") or any("…")' };
  const call = CALL.exec(source);
  if (call === null) return { ok: true, condition: { kind: 'text', text: source } };
  const name = call[1] as 'ai' | 'all' | 'any';
  const first = skipSpace(source, call[0].length);
  const quoted = isQuote(source[first]);
  // "all (three) reviewers agree" is a sentence: a space before the bracket, no quote in it, text behind it.
  if (call[2] !== '' && !quoted && !source.endsWith(')'))
    return { ok: true, condition: { kind: 'text', text: source } };
  if (!quoted) return { ok: false, message: unquoted(name, source.slice(call[0].length)) };
  return readCall(name, source, first);
}

/** The text that people and judges see: `ai("text")` as `text`, the others as written. */
export function conditionText(condition: Condition): string {
  if (condition.kind === 'all' || condition.kind === 'any')
    return `${condition.kind}(${condition.args.map((arg) => JSON.stringify(arg)).join(', ')})`;
  return condition.text;
}

function readCall(name: 'ai' | 'all' | 'any', source: string, start: number): ParsedCondition {
  const args: string[] = [];
  let at = start;
  for (;;) {
    const argument = readQuoted(source, at);
    if (argument === null) return bad(name, `the quote opened at character ${at + 1} is never closed`);
    const value = argument.value.trim();
    if (value === '') return bad(name, `argument ${args.length + 1} is empty`);
    args.push(value);
    at = skipSpace(source, argument.end);
    const sign = source[at];
    if (sign === ')') break;
    if (sign !== ',') return bad(name, `expected "," or ")" at character ${at + 1}, got ${shown(source.slice(at))}`);
    at = skipSpace(source, at + 1);
    if (!isQuote(source[at]))
      return bad(name, `expected a quoted text at character ${at + 1}, got ${shown(source.slice(at))}`);
  }
  if (at !== source.length - 1)
    return bad(name, `nothing may follow the closing bracket, got ${shown(source.slice(at + 1))}`);
  if (name !== 'ai') return { ok: true, condition: { kind: name, args } };
  const [only] = args;
  if (only === undefined || args.length > 1) return bad(name, `ai() takes one text, got ${args.length}`);
  return { ok: true, condition: { kind: 'ai', text: only } };
}

function readQuoted(source: string, start: number): { value: string; end: number } | null {
  const quote = source[start];
  let value = '';
  let from = start + 1;
  for (let at = from; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === quote) return { value: value + source.slice(from, at), end: at + 1 };
    if (sign !== '\\') continue;
    const escaped = ESCAPES[source[at + 1] ?? ''];
    if (escaped !== undefined) {
      value += source.slice(from, at) + escaped;
      from = at + 2;
    }
    at += 1;
  }
  return null;
}

function unquoted(name: string, rest: string): string {
  const close = rest.lastIndexOf(')');
  const inner = (close < 0 ? rest : rest.slice(0, close)).slice(0, 200);
  const args = inner
    .split(',')
    .map((part) => part.trim().replaceAll('"', ''))
    .filter((part) => part !== '');
  const form = `${name}(${(args.length > 0 ? args : ['…']).map((part) => `"${part}"`).join(', ')})`;
  return `the text in ${name}(…) must stand in quotes: write ${form}`;
}

function bad(name: string, what: string): ParsedCondition {
  return { ok: false, message: `${what}; write ${name}("…")${name === 'ai' ? '' : ` or ${name}("…", "…")`}` };
}

function shown(rest: string): string {
  return rest === '' ? 'the end' : JSON.stringify(rest.length > 20 ? `${rest.slice(0, 20)}…` : rest);
}

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'";
}

function skipSpace(source: string, from: number): number {
  let at = from;
  while (at < source.length && (source[at] ?? '').trim() === '') at += 1;
  return at;
}
