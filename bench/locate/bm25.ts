/** Plain BM25 over path and content, the baseline: words of letters and digits in lower case, k1 1.2, b 0.75. */

const K1 = 1.2;
const B = 0.75;
const WORD = /[\p{L}\p{N}]+/gu;

export interface Document {
  path: string;
  text: string;
}

/** Paths by score for each query, best first, at most `limit`; the documents are read once for all queries. */
export function bm25(documents: Iterable<Document>, queries: readonly string[], limit: number): string[][] {
  const wanted = new Set<string>();
  const asked = queries.map((query) => new Set(wordsOf(query)));
  for (const words of asked) for (const word of words) wanted.add(word);
  const files: { path: string; length: number; counts: Map<string, number> }[] = [];
  const having = new Map<string, number>();
  for (const { path, text } of documents) {
    const words = wordsOf(`${path}\n${text}`);
    const counts = new Map<string, number>();
    for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const word of counts.keys()) having.set(word, (having.get(word) ?? 0) + 1);
    files.push({ path, length: words.length, counts });
  }
  const average = files.reduce((sum, { length }) => sum + length, 0) / Math.max(1, files.length);
  return asked.map((words) => {
    const scored = files.map(({ path, length, counts }) => {
      let score = 0;
      for (const word of words) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const found = having.get(word) ?? 0;
        const idf = Math.log(1 + (files.length - found + 0.5) / (found + 0.5));
        score += (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
      }
      return { path, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .slice(0, limit)
      .map(({ path }) => path);
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
