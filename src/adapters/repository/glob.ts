/** Globs over paths, in linear time for each segment: a hostile one cannot keep a worker busy. */

const MAX_ALTERNATIVES = 64;
const MAX_STARS = 16;

/**
 * Whether a path fits: `*` and `?` within a name, `**` over folders, `[a-z]`, `{a,b}`. Without a slash it is the file's name alone.
 * Null for a glob that is too large.
 */
export function globMatcher(glob: string): ((path: string) => boolean) | null {
  // A folder means all below it.
  const plain = glob.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**');
  const alternatives = expand(plain);
  if (alternatives === null || (plain.match(/\*/g)?.length ?? 0) > MAX_STARS) return null;
  const patterns = alternatives.map((one) => (one.includes('/') ? one : `**/${one}`).split('/'));
  return (path) => patterns.some((pattern) => fits(pattern, path.split('/')));
}

/** The alternatives that braces give; null when there are too many. */
function expand(glob: string): string[] | null {
  let open = [glob];
  for (;;) {
    const next: string[] = [];
    let changed = false;
    for (const one of open) {
      const braces = /\{([^{}]*)\}/.exec(one);
      if (!braces) {
        next.push(one);
        continue;
      }
      changed = true;
      const before = one.slice(0, braces.index);
      const after = one.slice(braces.index + braces[0].length);
      for (const part of (braces[1] ?? '').split(',')) next.push(before + part + after);
      if (next.length > MAX_ALTERNATIVES) return null;
    }
    if (!changed) return next;
    open = next;
  }
}

/** Segment by segment; `**` takes any number of folders. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const segment of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (segment === '**') for (let to = at; to <= path.length; to += 1) next.add(to);
      else if (at < path.length && fitsName(segment, path[at] ?? '')) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(path.length);
}

/** Wildcards in one name, by going back to the last star only. */
function fitsName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let starAt = 0;
  while (n < name.length) {
    const step = p < pattern.length && pattern[p] !== '*' ? stepOf(pattern, p, name[n] ?? '') : 0;
    if (step > 0) {
      p += step;
      n += 1;
    } else if (pattern[p] === '*') {
      star = p;
      starAt = n;
      p += 1;
    } else if (star >= 0) {
      starAt += 1;
      n = starAt;
      p = star + 1;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** How many characters of the pattern this character of the name uses up; 0 when it does not fit. */
function stepOf(pattern: string, at: number, character: string): number {
  if (pattern[at] === '?') return 1;
  const set = pattern[at] === '[' ? /^\[([!^]?)([^\]]+)\]/.exec(pattern.slice(at, at + 100)) : null;
  if (!set) return pattern[at] === character ? 1 : 0;
  const [whole, not, members = ''] = set;
  let inside = false;
  for (let index = 0; index < members.length; index += 1) {
    const from = members[index] ?? '';
    const isRange = members[index + 1] === '-' && index + 2 < members.length;
    const to = isRange ? (members[index + 2] ?? '') : from;
    if (character >= from && character <= to) inside = true;
    if (isRange) index += 2;
  }
  return inside === (not === '') ? whole.length : 0;
}
