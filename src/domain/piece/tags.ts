/** Status tags `[STEP:N]` of an output (spec 1: Which rule wins). */
import { type Block, fencedBlocks } from './fences.ts';

const OPEN = '[STEP:';

interface Tags {
  /** Number of the last tag outside code fences and quoted lines, null for none. */
  plain: number | null;
  /** Number of the last tag in a fence that is no report block; looked for only where there is no plain one. */
  fenced: number | null;
}

/** Finds the last tags of an output. Inline code counts as text; quoted lines and report blocks never count. Linear. */
export function readTags(output: string): Tags {
  const tags: Tags = { plain: null, fenced: null };
  let at = output.lastIndexOf(OPEN);
  if (at < 0) return tags;
  const blocks = fencedBlocks(output);
  let block = blocks.length - 1;
  // The line that was looked at last: one long line with many tags is looked at once.
  let lineStart = output.length;
  let quoted = false;
  while (at >= 0) {
    const number = tagAt(output, at);
    if (number !== null) {
      while (block >= 0 && (blocks[block] as Block).start > at) block -= 1;
      const inside = blocks[block];
      if (inside !== undefined && at < inside.end) {
        if (!inside.report && tags.fenced === null) tags.fenced = number;
      } else {
        if (at < lineStart) {
          lineStart = output.lastIndexOf('\n', at) + 1;
          quoted = isQuoted(output, lineStart, at);
        }
        if (!quoted) return { plain: number, fenced: null };
      }
    }
    at = at === 0 ? -1 : output.lastIndexOf(OPEN, at - 1);
  }
  return tags;
}

/** The number of the tag that counts, null where there is none. */
export function lastTag(output: string): number | null {
  const { plain, fenced } = readTags(output);
  return plain ?? fenced;
}

function tagAt(output: string, at: number): number | null {
  let end = at + OPEN.length;
  while (isDigit(output.charCodeAt(end))) end += 1;
  if (end === at + OPEN.length || output[end] !== ']') return null;
  return Number(output.slice(at + OPEN.length, end));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isQuoted(output: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const sign = output[at];
    if (sign === '>') return true;
    if (sign !== ' ' && sign !== '\t') return false;
  }
  return false;
}
