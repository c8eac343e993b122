/** A note as a person sees it: GitLab hides HTML comments and folds details; links are shown by their text. */
export function noteForTerminal(body: string): string {
  return body
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<\/?(details|summary|br|sub|sup)[^>]*>/g, '')
    .replace(/\[([^\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))+\)/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
