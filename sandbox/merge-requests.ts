import { levelOf } from './access.ts';
import { setIssueState } from './issue-state.ts';
import type { Issue, MergeRequest, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

const REFERENCE = String.raw`(?:[\w.-]+(?:/[\w.-]+)+)?#\d+|https?://\S+/-/(?:issues|work_items)/\d+`;
/** GitLab's closing pattern: a keyword, and the items behind it. */
const CLOSING = new RegExp(
  String.raw`\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?((?:${REFERENCE})(?:(?:,? +and +|, *| +)(?:${REFERENCE}))*)`,
  'gi',
);

/** The issue a reference names, seen from a project. */
function issueOf(state: SandboxState, from: Project, reference: string): Issue | null {
  const url = /\/([^:]+?)\/-\/(?:issues|work_items)\/(\d+)$/.exec(reference.replace(state.baseUrl, ''));
  const [path, iid] = url ? [url[1], url[2]] : reference.split('#');
  const project = path ? state.projects.find((known) => known.path === path) : from;
  return project?.issues.find((known) => String(known.iid) === iid) ?? null;
}

function named(state: SandboxState, from: Project, text: string): Issue[] {
  const references = text.match(new RegExp(`(?<![\\w/])(?:${REFERENCE})`, 'g')) ?? [];
  return [...new Set(references.flatMap((reference) => issueOf(state, from, reference) ?? []))];
}

/** Issues that merging closes. */
export function closedBy(state: SandboxState, project: Project, request: MergeRequest): Issue[] {
  const text = `${request.title}\n${request.description ?? ''}`;
  return [...text.matchAll(CLOSING)].flatMap(([, references = '']) => named(state, project, references));
}

/** Merge requests that name an issue, `closing`: with a closing keyword; those the user may see. */
export function requestsNaming(
  state: SandboxState,
  issue: Issue,
  user: User,
  closing: boolean,
): [Project, MergeRequest][] {
  return state.projects
    .filter((project) => project.visibility !== 'private' || levelOf(project, user) >= 20)
    .flatMap((project) =>
      project.mergeRequests
        .filter((request) => {
          const text = `${request.title}\n${request.description ?? ''}`;
          return (closing ? closedBy(state, project, request) : named(state, project, text)).includes(issue);
        })
        .map((request): [Project, MergeRequest] => [project, request]),
    );
}

/** Merges it; into the default branch it closes what it says. Answers those issues. */
export function merge(state: SandboxState, project: Project, request: MergeRequest, user: User): Issue[] {
  Object.assign(request, {
    state: 'merged',
    mergedAt: state.timestamp(),
    updatedAt: state.timestamp(),
    mergedById: user.id,
  });
  const head = project.branches.get(request.sourceBranch);
  if (head !== undefined) project.branches.set(request.targetBranch, head);
  if (request.targetBranch !== project.defaultBranch) return [];
  return closedBy(state, project, request).filter((issue) => setIssueState(state, issue, 'closed', user));
}
