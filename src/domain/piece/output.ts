/** What is kept and shown of an agent's output (spec 1: People, Counters and loops, Which rule wins). */
import { fencedBlocks } from './fences.ts';

/** Outputs over this many bytes of UTF-8 are cut at their beginning. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_SUMMARY = 400;

/**
 * The output as it is kept: at most 1 MiB of UTF-8 (cut at the beginning, where the status tag is not), well-formed and
 * without NUL, which no store takes.
 */
export function limitOutput(output: string): { text: string; truncated: boolean } {
  // A unit of UTF-16 takes at least one byte: what is longer than that can be dropped before it is measured.
  const tail = output.length > MAX_OUTPUT_BYTES ? output.slice(-MAX_OUTPUT_BYTES) : output;
  const clean = tail.toWellFormed().replaceAll('\0', '\uFFFD');
  // Three bytes a unit at most.
  if (clean.length * 3 <= MAX_OUTPUT_BYTES) return { text: clean, truncated: tail.length < output.length };
  const bytes = new TextEncoder().encode(clean);
  if (bytes.length <= MAX_OUTPUT_BYTES) return { text: clean, truncated: tail.length < output.length };
  let from = bytes.length - MAX_OUTPUT_BYTES;
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from)), truncated: true };
}

/** The output without status tags, reports and data fences: what is shown to people as an open question. */
export function cleanOutput(output: string): string {
  let text = '';
  let from = 0;
  for (const block of fencedBlocks(output)) {
    text += withoutTags(output.slice(from, block.start));
    if (!block.report && !isDataInfo(block.info)) text += output.slice(block.start, block.end);
    from = block.end;
  }
  text += withoutTags(output.slice(from));
  return text.replace(/\n(?:[ \t]*\n){2,}/g, '\n\n').trim();
}

/** A summary of at most 400 characters on one line: the beginning and the end of what the agent said. */
export function summarise(output: string): string {
  const { text } = limitOutput(output);
  const said = cleanOutput(text) || text;
  // Only the ends are shown: the middle of a long text is not worth the work.
  const line = said.length > 20_000 ? `${said.slice(0, 10_000)} ${said.slice(-10_000)}` : said;
  const short = line.replace(/\s+/g, ' ').trim();
  if (short.length <= MAX_SUMMARY) return short.toWellFormed();
  return `${short.slice(0, 239)} … ${short.slice(-158)}`.toWellFormed();
}

/** Is this the info string of a data fence, `json:KIND`? */
function isDataInfo(info: string): boolean {
  return /^json:/i.test(info);
}

function withoutTags(text: string): string {
  return text.includes('[STEP:') ? text.replace(/\[STEP:\d+\]/g, '') : text;
}
