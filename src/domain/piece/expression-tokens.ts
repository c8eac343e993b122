/** The words and signs of a `when` expression (spec 1: Extensions). */

export interface Token {
  kind: 'word' | 'text' | 'number' | 'sign' | 'end';
  text: string;
  /** Offset of its first character. */
  at: number;
}

/** What is wrong with an expression; caught where parsing began. */
export class Wrong extends Error {}

export const FORMS = 'write e.g. `scope == "plan"`, `count > 0 and not done` or `scope in ("step", "plan")`';

const SPACE = /\s+/y;
const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_-]*/uy;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SIGN = /==|!=|<=|>=|[<>()[\],]/y;
/** Signs of other languages, and what stands for them here. */
const ELSEWHERE: Record<string, string> = { '&': 'and', '|': 'or', '!': 'not', '=': '==' };
const ESCAPES: Record<string, string> = { '"': '"', "'": "'", '\\': '\\', n: '\n', t: '\t' };

/** The tokens of an expression, the last one its end. Throws `Wrong`. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length; ) {
    const space = matchAt(SPACE, source, at);
    if (space !== null) {
      at += space.length;
      continue;
    }
    const sign = source[at] ?? '';
    if (sign === '"' || sign === "'") {
      const { end, value } = quoted(source, at);
      tokens.push({ kind: 'text', text: value, at });
      at = end;
      continue;
    }
    const kinds = [
      ['word', WORD],
      ['number', NUMBER],
      ['sign', SIGN],
    ] as const;
    const found = kinds.flatMap(([kind, pattern]) => {
      const text = matchAt(pattern, source, at);
      return text === null ? [] : [{ kind, text, at }];
    })[0];
    if (found === undefined) throw new Wrong(unexpectedSign(sign, at));
    tokens.push(found);
    at += found.text.length;
  }
  tokens.push({ kind: 'end', text: '', at: source.length });
  return tokens;
}

function unexpectedSign(sign: string, at: number): string {
  const ours = Object.hasOwn(ELSEWHERE, sign) ? ELSEWHERE[sign] : undefined;
  return `\`${sign}\` at character ${at + 1} means nothing here; ${ours === undefined ? FORMS : `write \`${ours}\``}`;
}

function quoted(source: string, start: number): { value: string; end: number } {
  let value = '';
  for (let at = start + 1; at < source.length; at += 1) {
    const sign = source[at] ?? '';
    if (sign === source[start]) return { value, end: at + 1 };
    const escaped = sign === '\\' ? ESCAPES[source[at + 1] ?? ''] : undefined;
    if (escaped !== undefined) at += 1;
    value += escaped ?? sign;
  }
  throw new Wrong(`the quote opened at character ${start + 1} is never closed`);
}

function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}
