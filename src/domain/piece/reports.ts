/** Reports taken out of an agent's output (spec 1: Reports). File names come from the piece alone, never from the output. */
import { type Block, blockText, fencedBlocks } from './fences.ts';
import type { ReportSpec } from './types.ts';

interface ExtractedReports {
  files: { file: string; text: string }[];
  warnings: { code: string; message: string }[];
}

/** Blocks beyond this many are not looked at. */
const MAX_BLOCKS = 300;
/** How much text before a block may name its file, in characters. */
const HINT = 600;

/**
 * Takes each report from its ```` ```markdown ```` block: the block whose surroundings name the file or label, else by
 * order. Without any block the whole output is the first file, with a warning; else a file without a block stays unwritten.
 */
export function extractReports(spec: ReportSpec, output: string): ExtractedReports {
  const wanted = spec.form === 'single' ? [{ label: '', name: spec.name }] : spec.files;
  const blocks = fencedBlocks(output)
    .filter((block) => block.report)
    .slice(0, MAX_BLOCKS);
  const [first] = wanted;
  if (first === undefined) return { files: [], warnings: [] };
  if (blocks.length === 0) {
    const message = `no fenced markdown block in the output: all of it was kept as ${first.name}`;
    return {
      files: [{ file: first.name, text: output }],
      warnings: [{ code: 'report_unmatched', message }, ...missing(wanted.slice(1))],
    };
  }
  const chosen = assign(wanted, describe(output, blocks));
  const files = wanted.flatMap((file, index) => {
    const block = blocks[chosen.get(index) ?? -1];
    return block === undefined ? [] : [{ file: file.name, text: blockText(output, block) }];
  });
  return { files, warnings: missing(wanted.filter((_, index) => !chosen.has(index))) };
}

interface Wanted {
  label: string;
  name: string;
}

interface Described {
  /** Headings and text before the block, back to the block before. */
  before: string;
  heading: string;
  /** The info string and the first lines of the block. */
  inside: string;
  insideHeading: string;
}

function missing(files: Wanted[]): { code: string; message: string }[] {
  return files.map(({ name }) => ({
    code: 'report_missing',
    message: `the output has no block for the report ${name}: it was not written`,
  }));
}

function describe(output: string, blocks: Block[]): Described[] {
  return blocks.map((block, index) => {
    const from = Math.max(blocks[index - 1]?.end ?? 0, block.start - HINT);
    const before = output.slice(from, block.start).toLowerCase();
    const head = output
      .slice(block.contentStart, Math.min(block.contentEnd, block.contentStart + HINT))
      .split('\n', 3)
      .join('\n')
      .toLowerCase();
    return {
      before,
      heading: lastHeading(before),
      inside: `${block.info.toLowerCase()}\n${head}`,
      insideHeading: headingText(head.split('\n', 1)[0] ?? ''),
    };
  });
}

/** Pairs files with blocks: the surest hints first, each file and block once; what is left goes by order. */
function assign(wanted: Wanted[], blocks: Described[]): Map<number, number> {
  const pairs: { score: number; file: number; block: number }[] = [];
  for (const [file, { label, name }] of wanted.entries()) {
    for (const [block, described] of blocks.entries()) {
      const score = nearness(label.toLowerCase(), name.toLowerCase(), described);
      if (score > 0) pairs.push({ score, file, block });
    }
  }
  pairs.sort((a, b) => b.score - a.score || a.block - b.block || a.file - b.file);
  const chosen = new Map<number, number>();
  const taken = new Set<number>();
  for (const { file, block } of pairs) {
    if (chosen.has(file) || taken.has(block)) continue;
    chosen.set(file, block);
    taken.add(block);
  }
  const free = blocks.map((_, index) => index).filter((index) => !taken.has(index));
  for (const file of wanted.keys()) {
    const block = chosen.has(file) ? undefined : free.shift();
    if (block !== undefined) chosen.set(file, block);
  }
  return chosen;
}

function nearness(label: string, name: string, block: Described): number {
  if (names(block.before, name)) return 6;
  if (label !== '' && block.heading === label) return 5;
  if (names(block.inside, name)) return 4;
  if (label !== '' && names(block.before, label)) return 3;
  if (label !== '' && block.insideHeading === label) return 2;
  return label !== '' && names(block.insideHeading, label) ? 1 : 0;
}

/** Does the text hold the word, and not as a part of a longer one (`scope.md` in `01-scope.md`)? */
function names(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    const after = text[at + word.length] ?? '';
    if (!isPart(before, word[0]) && !isPart(after, word.at(-1))) return true;
  }
  return false;
}

function isPart(sign: string, edge: string | undefined): boolean {
  return /[a-z0-9_/\\-]/.test(sign) && /[a-z0-9_-]/.test(edge ?? '');
}

function lastHeading(before: string): string {
  const line = before.trimEnd().split('\n').at(-1) ?? '';
  return headingText(line);
}

function headingText(line: string): string {
  return line
    .trim()
    .replace(/^(?:#{1,6}|\d+[.)]|[-*])[ \t]+/, '')
    .replace(/^[*_`]+|[*_`:：]+$/g, '')
    .trim();
}
