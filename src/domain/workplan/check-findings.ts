/** Checks of citations: the file, its lines, the commit and the address. Each answer is a list of problems that name place and remedy. */
import { permalink } from './paths.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { Finding } from './schema.ts';

type Findings = { readonly findings: readonly Finding[] };

/** Lines that one finding may cite: what is wider names no place. */
export const MOST_LINES = 400;

export function missingFindings({ findings }: Findings, facts: PlanFacts): string[] {
  return findings.flatMap((finding, index) => {
    const place = `findings[${index}]`;
    const { path, startLine, endLine } = finding;
    const lines = facts.fileLines(path);
    if (lines === null) {
      const spelled = facts.spelled?.(path) ?? null;
      const remedy = spelled === null ? 'cite one that exists' : `write ${spelled}`;
      return [`${place}, path: there is no file ${path} at the run's commit; ${remedy}.`];
    }
    if (startLine > endLine)
      return [`${place}: startLine ${startLine} is after endLine ${endLine}; give the first line and then the last.`];
    if (lines === 0) return [`${place}, path: ${path} has no lines of text; cite a file that can be read.`];
    if (endLine > lines)
      return [`${place}, endLine: ${path} has ${lines} lines, not ${endLine}; cite lines that exist.`];
    return [];
  });
}

export function wideFindings({ findings }: Findings): string[] {
  return findings.flatMap(({ path, startLine, endLine }, index) =>
    endLine - startLine < MOST_LINES
      ? []
      : [
          `findings[${index}]: ${path} ${startLine}–${endLine} are ${endLine - startLine + 1} lines, at most ${MOST_LINES} can be cited at once; cite those that show it.`,
        ],
  );
}

/** Commit and address are the service's to fill; where an agent gives them, they must be those of the run. */
export function foreignFindings({ findings }: Findings, facts: PlanFacts): string[] {
  return findings.flatMap((finding, index) => {
    const place = `findings[${index}]`;
    const { commit, url } = finding;
    const pinned = facts.commit ?? null;
    if (commit !== undefined && pinned !== null && !sameCommit(commit, pinned))
      return [
        `${place}, commit: the run reads ${pinned}, not ${commit}; cite what stands there, and leave commit out.`,
      ];
    if (url === undefined || isOwnUrl(url, finding, facts)) return [];
    return [`${place}, url: ${url} is not the address of the cited lines at the run's commit; leave url out.`];
  });
}

/** An abbreviation of at least seven characters is the commit too. */
function sameCommit(given: string, pinned: string): boolean {
  return given.length >= 7 && pinned.toLowerCase().startsWith(given.toLowerCase());
}

function isOwnUrl(url: string, finding: Finding, facts: PlanFacts): boolean {
  const found = /^(https?:\/\/.+?)\/-\/blob\/([0-9A-Za-z]+)\/[^#]*#L\d+(?:-L?\d+)?$/.exec(url);
  const [, project = '', commit = ''] = found ?? [];
  if (found === null || (facts.projectUrl && facts.projectUrl !== project)) return false;
  if (facts.commit && !sameCommit(commit, facts.commit)) return false;
  const wanted = permalink(project, commit, finding);
  return url === wanted || url.replace(/-L(\d+)$/, '-$1') === wanted;
}
