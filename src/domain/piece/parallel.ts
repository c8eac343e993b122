/** The output of a parallel movement (spec 1: Which rule wins). */

/** Joins sub-outputs in file order, each under `## NAME`, with a line `---` between them. */
export function joinOutputs(subs: { name: string; output: string }[]): string {
  return subs.map((sub) => `## ${sub.name}\n\n${sub.output}`).join('\n\n---\n\n');
}
