/** Texts for a terminal: a note as a person sees it, lines that fit. */

/** GitLab hides HTML comments and folds details; links are shown by their text, marks and tables as plain words. */
export function noteForTerminal(body: string): string {
  return body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^```mermaid\n[\s\S]*?^```$/gm, '(a graph of the units)')
    .replace(/<\/?(details|summary|br|sub|sup)[^>]*>/g, '')
    .replace(/\[([^\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))+\)/g, '$1')
    .replace(/^\|[\s|:-]*\|\n/gm, '')
    .replace(/^\| *(.*?) *\|$/gm, (_row, cells: string) => cells.replace(/ *(?<!\\)\| */g, '  '))
    .replace(/(?<![*\w])\*([^*\n]+)\*(?![*\w])/g, '$1')
    .replace(/\\$/gm, '')
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~/@])/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A question without how to answer it, which is the same under each, and without its signature. */
export function questionForTerminal(body: string, howTo: RegExp = /\n\n\*\*How to answer\*\*[\s\S]*$/): string {
  return noteForTerminal(body.replace(/<sub>[\s\S]*?<\/sub>/g, '').replace(howTo, ''));
}

/** Breaks lines at blanks so that none is longer than `width`; what follows is indented as the line's text is. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const lead = /^\s*(?:(?:[-*•→]|\d+\.|[RUD]\d+)\s+)?/.exec(line)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(lead, width / 2));
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    // A word that is too long stands alone.
    const end = at > indent.length ? at : rest.indexOf(' ', width);
    if (end === -1) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = indent + rest.slice(end + 1).trimStart();
  }
  return [...lines, rest];
}
