/**
 * Code fences of an agent's output (spec 1: Which rule wins, Reports). One pass, linear also for hostile text.
 * As in CommonMark, with two differences: a fence may be indented by any amount (lists), and in a report block
 * (info string `markdown` or `md`) fences nest, since reports hold code of their own.
 */

export interface Block {
  /** The info string, trimmed. */
  info: string;
  /** Offsets in the text: of the opening line, of the content, of the content's end, and behind the closing line. */
  start: number;
  contentStart: number;
  contentEnd: number;
  end: number;
  /** White space before the opening fence, taken off the content's lines. */
  indent: number;
  report: boolean;
}

interface FenceLine {
  start: number;
  next: number;
  indent: number;
  sign: string;
  length: number;
  info: string;
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})([^\r\n]*)/;
/** An opening line longer than this is text: no one writes such an info string. */
const MAX_FENCE_LINE = 1000;

/** The top-level blocks of a text in order. A block that is never closed reaches to the end. */
export function fencedBlocks(text: string): Block[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const lines = fenceLines(text);
  const bareAhead = countBareAhead(lines);
  const blocks: Block[] = [];
  // Once a report block with nesting did not close, the rest is read without nesting: the writer lost count.
  let nesting = true;
  let at = 0;
  while (at < lines.length) {
    const open = lines[at];
    if (open === undefined) break;
    const report = isReport(open.info);
    let close = report && nesting ? closeNested(text, lines, at, bareAhead) : closePlain(lines, at);
    if (close < 0 && report && nesting) {
      nesting = false;
      close = closePlain(lines, at);
    }
    const closing = close < 0 ? undefined : lines[close];
    blocks.push({
      info: open.info,
      start: open.start,
      contentStart: open.next,
      contentEnd: closing === undefined ? text.length : Math.max(open.next, closing.start - 1),
      end: closing === undefined ? text.length : closing.next,
      indent: open.indent,
      report,
    });
    at = close < 0 ? lines.length : close + 1;
  }
  return blocks;
}

/** A block's content without the indentation of its fence and without the last line break. */
export function blockText(text: string, block: Block): string {
  const content = text.slice(block.contentStart, block.contentEnd).replace(/\r$/, '');
  if (block.indent === 0) return content;
  return content
    .split('\n')
    .map((line) => {
      let cut = 0;
      while (cut < block.indent && (line[cut] === ' ' || line[cut] === '\t')) cut += 1;
      return line.slice(cut);
    })
    .join('\n');
}

function isReport(info: string): boolean {
  return /^(?:markdown|md)(?:[\s:{]|$)/i.test(info);
}

function fenceLines(text: string): FenceLine[] {
  const found: FenceLine[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    const line = readFence(text, start, next);
    if (line !== null) found.push(line);
    start = next;
  }
  return found;
}

function readFence(text: string, start: number, next: number): FenceLine | null {
  const sign = text.charCodeAt(start);
  // ` ~ space tab: anything else cannot begin a fence, which spares the regular expression on most lines.
  if (sign !== 96 && sign !== 126 && sign !== 32 && sign !== 9) return null;
  if (next - start > MAX_FENCE_LINE) return null;
  const match = FENCE.exec(text.slice(start, next));
  if (match === null) return null;
  const marks = match[2] ?? '';
  const info = (match[3] ?? '').trim();
  if (marks.startsWith('`') && info.includes('`')) return null;
  return { start, next, indent: (match[1] ?? '').length, sign: marks.charAt(0), length: marks.length, info };
}

/** How many bare fences follow each fence line before the next one with an info string. */
function countBareAhead(lines: FenceLine[]): number[] {
  const counts = new Array<number>(lines.length).fill(0);
  for (let at = lines.length - 2; at >= 0; at -= 1) {
    counts[at] = lines[at + 1]?.info === '' ? (counts[at + 1] ?? 0) + 1 : 0;
  }
  return counts;
}

function closes(line: FenceLine, open: FenceLine): boolean {
  return line.info === '' && line.sign === open.sign && line.length >= open.length;
}

function closePlain(lines: FenceLine[], at: number): number {
  const open = lines[at];
  if (open === undefined) return -1;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index];
    if (line !== undefined && closes(line, open)) return index;
  }
  return -1;
}

function closeNested(text: string, lines: FenceLine[], at: number, bareAhead: number[]): number {
  const open = lines[at];
  if (open === undefined) return -1;
  const stack = [open];
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index];
    const inner = stack.at(-1);
    if (line === undefined || inner === undefined) break;
    if (closes(line, inner)) {
      if (stack.length === 1 && opensBareCode(text, line, bareAhead[index] ?? 0)) stack.push(line);
      else stack.pop();
      if (stack.length === 0) return index;
    } else if (stack.length === 1) stack.push(line);
  }
  return -1;
}

/**
 * Is this bare fence in a report the begin of code rather than the report's end? It is when text follows it at once
 * and two more bare fences do, one for the code's end and one for the report's.
 */
function opensBareCode(text: string, line: FenceLine, ahead: number): boolean {
  if (ahead < 2 || ahead % 2 !== 0) return false;
  const following = text.slice(line.next, line.next + 40).split('\n', 1)[0] ?? '';
  return following.trim() !== '' && !/^\s*(?:\[STEP:|#|`{3}|~{3})/.test(following);
}
