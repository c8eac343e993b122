/** Takes HTML comments out: text nobody sees is no part of what we say, and a forged marker lives in one (spec 2). */
import { backtickRuns, runLength } from './backticks.ts';
import { endsFence, fenceStart } from './blocks.ts';

/** The text without its HTML comments; those in code stay. A comment without an end stays, to be made visible later. Linear. */
export function stripComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const runs = backtickRuns(text);
  let out = '';
  let at = 0;
  let fence: string | null = null;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    if (fence !== null) {
      if (endsFence(line, fence)) fence = null;
    } else {
      fence = fenceStart(line)?.run ?? null;
      if (fence === null) {
        const [kept, next] = withoutComments(text, at, end);
        out += kept;
        at = next;
        continue;
      }
    }
    out += text.slice(at, end + 1);
    at = end + 1;
  }
  return out;

  function withoutComments(all: string, from: number, lineStop: number): [string, number] {
    let kept = '';
    let stop = lineStop;
    let start = from;
    let position = from;
    while (position < stop) {
      const char = all[position];
      if (char === '\\') position += 2;
      else if (char === '`') {
        const length = runLength(all, position);
        const close = runs.next(length, position + length, stop);
        position = close < 0 ? position + length : close + length;
      } else if (char === '<' && all.startsWith('<!--', position)) {
        const close = all.indexOf('-->', position + 2);
        if (close < 0) return [kept + all.slice(start), all.length];
        kept += all.slice(start, position);
        start = close + 3;
        position = start;
        if (position > stop) stop = lineEnd(all, position);
      } else position += 1;
    }
    return [kept + all.slice(start, stop + 1), stop + 1];
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
