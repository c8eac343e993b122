/** `all()` and `any()` over the results of sub-movements (spec 1: Rules, the truth table). */
import { parseCondition } from './condition.ts';

/** A sub-movement's result: the matched rule's condition as written, trimmed; null when it has none. */
export interface SubResult {
  condition: string | null;
  /** Is the result an `ai()` condition? Left out: read from the text. */
  ai?: boolean;
}

/** Does the aggregate hold? With no sub-movement at all neither does. */
export function aggregateHolds(condition: { kind: 'all' | 'any'; args: string[] }, subs: SubResult[]): boolean {
  const { args, kind } = condition;
  if (kind === 'any') return subs.some((sub) => args.some((arg) => isResult(arg, sub)));
  const [only] = args;
  if (subs.length === 0 || only === undefined) return false;
  if (args.length === 1) return subs.every((sub) => isResult(only, sub));
  return args.length === subs.length && subs.every((sub, index) => isResult(args[index] ?? '', sub));
}

/** Is the sub-movement's result this text? An `ai("text")` result is compared with and without the wrapper. */
export function isResult(arg: string, sub: SubResult): boolean {
  if (sub.condition === null) return false;
  const result = sub.condition.trim();
  if (arg === result) return true;
  const inner = aiText(result);
  if (sub.ai === false || (inner === null && sub.ai !== true)) return false;
  return arg === inner || (aiText(arg) ?? arg) === (inner ?? result);
}

function aiText(text: string): string | null {
  if (!text.startsWith('ai')) return null;
  const parsed = parseCondition(text);
  return parsed.ok && parsed.condition.kind === 'ai' ? parsed.condition.text : null;
}
