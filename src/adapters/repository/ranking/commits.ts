/** What the history says: commits whose subjects are like the issue point at the files they changed; much changed files change again. */
import { termsOf, wordsOf } from '../words.ts';
import { isCommon } from './plain-words.ts';
import type { Question } from './question.ts';

export interface Commit {
  subject: string;
  paths: readonly string[];
}

export interface Past {
  /** How like the issue the commits are that changed the file, 0–1. */
  like: number;
  /** How often it was changed, 0–1, by the logarithm. */
  churn: number;
  /** The subject of the commit that is most like the issue. */
  subject: string;
}

/** A commit that changed more says nothing of each file. */
const MAX_PATHS = 20;

/** By path; only for files that some commit changed. */
export function pastOf(commits: readonly Commit[], question: Question): Map<string, Past> {
  const telling = commits.filter(({ paths }) => paths.length > 0 && paths.length <= MAX_PATHS);
  const terms = telling.map(
    ({ subject }) =>
      new Set(
        wordsOf(subject)
          .filter((word) => !isCommon(word))
          .flatMap(termsOf),
      ),
  );
  const having = new Map<string, number>();
  for (const one of terms) for (const term of one) having.set(term, (having.get(term) ?? 0) + 1);
  const likes = new Map<string, { like: number; best: number; subject: string }>();
  const counts = new Map<string, number>();
  telling.forEach(({ subject, paths }, index) => {
    let like = 0;
    for (const term of terms[index] ?? []) {
      const weight = question.terms.get(term) ?? 0;
      if (weight > 0) like += weight * Math.log(1 + telling.length / (having.get(term) ?? 1));
    }
    like /= Math.sqrt(1 + (terms[index]?.size ?? 0));
    for (const path of paths) {
      counts.set(path, (counts.get(path) ?? 0) + 1);
      if (like === 0) continue;
      const share = like / Math.sqrt(paths.length);
      const known = likes.get(path) ?? { like: 0, best: 0, subject: '' };
      known.like += share * share;
      if (share > known.best) Object.assign(known, { best: share, subject });
      likes.set(path, known);
    }
  });
  const most = Math.max(1e-9, ...[...likes.values()].map(({ like }) => Math.sqrt(like)));
  const busiest = Math.log(1 + Math.max(1, ...counts.values()));
  return new Map(
    [...counts].map(([path, count]) => {
      const { like, subject } = likes.get(path) ?? { like: 0, subject: '' };
      return [path, { like: Math.sqrt(like) / most, churn: Math.log(1 + count) / busiest, subject }];
    }),
  );
}
