/** The nearest known word, for messages (spec 1: errors with the nearest known key). */

const MAX_LENGTH = 60;

/** The known word that differs least, null when none is near: at most a third of its letters, and at most three. */
export function nearest(word: string, known: Iterable<string>): string | null {
  if (word.length > MAX_LENGTH) return null;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  const wanted = fold(word);
  for (const candidate of known) {
    if (candidate.length > MAX_LENGTH || Math.abs(candidate.length - word.length) > 3) continue;
    const distance = difference(wanted, fold(candidate));
    if (distance < least && distance <= Math.min(3, Math.ceil(Math.max(candidate.length, word.length) / 3))) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** ` (did you mean …?)`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearest(word, known);
  return near === null ? '' : `; did you mean \`${near}\`?`;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-\s]/g, '_');
}

/** Edits between two words; swapping two neighbours is one. */
function difference(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (before[j - 2] ?? 0) + 1);
      row.push(value);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
