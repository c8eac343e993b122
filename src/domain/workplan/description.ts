/**
 * The plan in an item's description (spec 2: Workplan and score): a block between two markers. What stands around it is people's and is never
 * changed; what stands between the markers is the service's and is overwritten whole. Without both markers in order the block is put at the end
 * again, and what a person left of the old one stays.
 */
import { marker } from '../text/marker.ts';

const BEGIN = marker({ place: 'description', part: 'begin' });
const END = marker({ place: 'description', part: 'end' });

const MARKERS = new RegExp(`^(?:${BEGIN}|${END})`, 'gm');

/** GitLab's limit of a description. */
export const MAX_DESCRIPTION = 1_000_000;

/** `too_long`: with it the description would be. `acts`: GitLab would carry out a line of people's text as the service's. */
export type Placed = { kind: 'placed'; text: string } | { kind: 'too_long' } | { kind: 'acts' };

/** The description with the block, `body` being its clean text with a marker of its own. */
export function placePlan(description: string, body: string): Placed {
  const block = `${BEGIN}\n${body.trim()}\n${END}`;
  const pieces = piecesOf(description);
  if (pieces.some((piece) => mayAct(piece))) return { kind: 'acts' };
  const [before = '', ...after] = pieces;
  const text =
    after.length === 0
      ? [before.trimEnd(), block].filter((part) => part !== '').join('\n\n')
      : `${before}${block}${joined(after)}`;
  return text.length > MAX_DESCRIPTION ? { kind: 'too_long' } : { kind: 'placed', text };
}

/** What people wrote: the description without the plan. */
export function withoutPlan(description: string): string {
  const pieces = piecesOf(description);
  return pieces.length === 1 ? description : joined(pieces).trimEnd();
}

/** Pieces as one text. Halves that stood apart and would make a block of people's words now are taken out, the words stay. */
function joined(pieces: readonly string[]): string {
  const text = pieces.join('');
  return piecesOf(text).length === 1 ? text : text.replace(MARKERS, '');
}

/**
 * The text around complete blocks: one piece without any. A block ends with its end and begins with the last beginning before it; a marker
 * without its other half stays where it is. A copy of the block is a block as well, and goes.
 */
function piecesOf(description: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let begin: number | null = null;
  for (const found of description.matchAll(MARKERS)) {
    if (found[0] === BEGIN) begin = found.index;
    else if (begin !== null) {
      pieces.push(description.slice(from, begin));
      from = found.index + END.length;
      begin = null;
    }
  }
  pieces.push(description.slice(from));
  return pieces;
}

/**
 * A line that GitLab could take for a quick action: `/word` alone or with words after it. It takes those away when a person saves them, but
 * not what that person had no right to, and would carry it out for us who send the whole text.
 */
function mayAct(text: string): boolean {
  return /^[ \t]*\/(?!workplan\b)[A-Za-z_]+[ \t]*(?:[ \t].*)?\r?$/m.test(text);
}
