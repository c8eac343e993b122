/** Runs of backticks of a text, found once, so that looking for the end of a code span never makes cleaning quadratic. */
export interface BacktickRuns {
  /** Start of the run of exactly `length` backticks that begins at or after `from` and before `before`; -1: none. `from` never falls. */
  next(length: number, from: number, before: number): number;
}

export function backtickRuns(text: string): BacktickRuns {
  const starts = new Map<number, number[]>();
  for (const run of text.matchAll(/`+/g)) {
    const known = starts.get(run[0].length);
    if (known) known.push(run.index);
    else starts.set(run[0].length, [run.index]);
  }
  const cursors = new Map<number, number>();
  return {
    next(length, from, before) {
      const list = starts.get(length);
      if (!list) return -1;
      let cursor = cursors.get(length) ?? 0;
      while (cursor < list.length && (list[cursor] ?? 0) < from) cursor += 1;
      cursors.set(length, cursor);
      const start = list[cursor];
      return start !== undefined && start < before ? start : -1;
    },
  };
}

/** Length of the run of backticks at `at`. */
export function runLength(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === 96) end += 1;
  return end - at;
}
