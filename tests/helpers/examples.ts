/** The examples of a page: pieces (fenced `yaml` that begins with `name:`), each with the script that follows it. */
export interface Example {
  piece: string;
  /** The line of the page where the piece begins. */
  line: number;
  script: string;
  /** How the script's first comment says the run ends. */
  ends: string;
  interactive: boolean;
}

export function examplesOf(page: string): Example[] {
  const blocks = [...page.matchAll(/^(`{3,})yaml\n([\s\S]*?)^\1$/gm)].map((match) => ({
    text: match[2] ?? '',
    line: page.slice(0, match.index).split('\n').length + 1,
  }));
  const examples: Example[] = [];
  for (let index = 0; index < blocks.length; index += 2) {
    const [piece, script] = [blocks[index], blocks[index + 1]];
    const head = /^# .*?(--interactive)? ?→ (completed|aborted)\n/.exec(script?.text ?? '');
    if (!piece?.text.startsWith('name: ') || !script || !head)
      throw new Error(
        `Line ${piece?.line ?? 0}: expected a piece that begins with "name:" and then its script with "→ END".`,
      );
    const { text, line } = piece;
    examples.push({ piece: text, line, script: script.text, ends: head[2] ?? '', interactive: head[1] !== undefined });
  }
  return examples;
}
