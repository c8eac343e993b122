import { mayTriage, mayUpdateIssue, requireProject } from './access.ts';
import { setIssueState } from './issue-state.ts';
import type { Issue, Project, User } from './model.ts';
import { copyIssue, moveIssue } from './moves.ts';
import type { Command } from './quick-action-finder.ts';
import { SUBSTITUTIONS } from './quick-action-names.ts';
import type { SandboxState } from './state.ts';

export interface CommandResult {
  changes: Record<string, unknown>;
  summary: string[];
  errors: string[];
}

interface Context {
  state: SandboxState;
  project: Project;
  issue: Issue;
  user: User;
}

/** What a command changed, in the words of the API's answer; null when it could not be applied. */
type Outcome = { changes?: Record<string, unknown>; summary: string } | null;
type Handler = (context: Context, argument: string, name: string) => Outcome;

/** Labels by `~name`, `~"a name"`, or plain words when there is no tilde. */
function labelNames(argument: string): string[] {
  const marked = [...argument.matchAll(/~(?:"([^"]+)"|(\S+))/g)].map((match) => match[1] ?? match[2] ?? '');
  if (marked.length > 0) return marked;
  return [...argument.matchAll(/"([^"]+)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

function people({ state, user }: Context, argument: string): number[] {
  const named = [...argument.matchAll(/@([\w.-]+)|\bme\b/g)].map((match) => match[1] ?? user.username);
  return state.users.filter((known) => named.includes(known.username)).map((known) => known.id);
}

/** `1mo 2w 3d 4h 5m` in seconds, with GitLab's eight-hour days; null when it is no time. */
function duration(argument: string): number | null {
  const seconds: Record<string, number> = { mo: 576_000, w: 144_000, d: 28_800, h: 3600, m: 60, s: 1 };
  const parts = [...argument.matchAll(/(\d+(?:\.\d+)?)\s*(mo|w|d|h|m|s)\b/g)];
  if (parts.length === 0) return null;
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (seconds[unit ?? ''] ?? 0), 0);
  return argument.trim().startsWith('-') ? -total : total;
}

const triage =
  (handler: Handler): Handler =>
  (context, argument, name) =>
    mayTriage(context.project, context.user) ? handler(context, argument, name) : null;
const update =
  (handler: Handler): Handler =>
  (context, argument, name) =>
    mayUpdateIssue(context.project, context.issue, context.user) ? handler(context, argument, name) : null;

function relabelled(context: Context, wanted: string[], verb: string): Outcome {
  const { state, project, issue, user } = context;
  state.setLabels(project, issue, wanted, user.id, state.timestamp());
  return { changes: { label_ids: wanted }, summary: `${verb} label(s).` };
}

function stateChange(wanted: 'opened' | 'closed'): Handler {
  return update(({ state, issue, user }) => {
    setIssueState(state, issue, wanted, user);
    const closing = wanted === 'closed';
    const changes = { state_event: closing ? 'close' : 'reopen' };
    return { changes, summary: closing ? 'Closed this issue.' : 'Reopened this issue.' };
  });
}

/** Sets fields of the issue from the argument; null from `read` when it makes no sense. */
function setting(read: (argument: string, issue: Issue) => Partial<Issue> | null): Handler {
  return triage(({ issue }, argument, name) => {
    const fields = read(argument, issue);
    if (!fields) return null;
    Object.assign(issue, fields);
    return { changes: fields, summary: `Carried out /${name}.` };
  });
}

const assigning: Handler = triage((context, argument, name) => {
  const ids = people(context, argument);
  const { issue } = context;
  if (name === 'unassign') issue.assigneeIds = issue.assigneeIds.filter((id) => argument !== '' && !ids.includes(id));
  else if (ids.length === 0) return null;
  // Without a licence an issue has one assignee.
  else issue.assigneeIds = ids.slice(0, 1);
  const verb = name === 'unassign' ? 'Removed assignee' : 'Assigned';
  return { changes: { assignee_ids: issue.assigneeIds }, summary: `${verb} ${argument}.` };
});

const reacting: Handler = ({ state, issue, user }, argument) => {
  const name = /^:?([\w+-]+):?$/.exec(argument)?.[1];
  if (name === undefined) return null;
  const given = issue.awards.find((award) => award.name === name && award.userId === user.id);
  if (given) issue.awards = issue.awards.filter((award) => award !== given);
  else issue.awards.push({ id: state.nextId('award', 7001), name, userId: user.id, createdAt: state.timestamp() });
  return { changes: { emoji_award: name }, summary: `Toggled :${name}: emoji award.` };
};

function targetOf({ state, user }: Context, argument: string): Project | null {
  try {
    return requireProject(state, user, argument.split(/\s/)[0] ?? '');
  } catch {
    return null;
  }
}

/** The issue `#12` of the same project. */
function issueNamed({ project }: Context, argument: string): Issue | null {
  const iid = /#(\d+)/.exec(argument)?.[1];
  return project.issues.find((known) => String(known.iid) === iid) ?? null;
}

const linking =
  (linkType: string): Handler =>
  (context, argument) => {
    const target = issueNamed(context, argument);
    if (!target || !mayUpdateIssue(context.project, context.issue, context.user)) return null;
    const id = context.state.nextId('link', 6001);
    context.issue.links.push({ id, targetIssueId: target.id, linkType });
    target.links.push({ id, targetIssueId: context.issue.id, linkType });
    return { summary: `Marked this issue as related to #${target.iid}.` };
  };

/** `/set_parent #1` and `/add_child #2 #3`: never above itself. */
function setParent({ project }: Context, child: Issue, parent: Issue): boolean {
  const above = new Map(project.issues.map((issue) => [issue.id, issue.parentId ?? null]));
  for (let id: number | null = parent.id; id !== null; id = above.get(id) ?? null) if (id === child.id) return false;
  child.parentId = parent.id;
  return true;
}

function childrenNamed(context: Context, argument: string): Issue[] {
  const named = [...argument.matchAll(/#\d+/g)].map(([reference]) => issueNamed(context, reference));
  return named.filter((issue) => issue !== null);
}

const childing: Handler = triage((context, argument, name) => {
  const { issue } = context;
  const named = childrenNamed(context, argument);
  const adds = name === 'add_child';
  const done = named.filter((child) => (adds ? setParent(context, child, issue) : child.parentId === issue.id));
  if (done.length === 0) return null;
  if (!adds) for (const child of done) child.parentId = null;
  return { summary: `Carried out /${name}.` };
});

const orphaning: Handler = setting(() => ({ parentId: null }));

const spending = setting((argument, issue) => {
  const seconds = duration(argument);
  return seconds === null ? null : { timeSpent: Math.max(0, issue.timeSpent + seconds) };
});
const estimating = setting((argument) => {
  const seconds = duration(argument);
  return seconds === null ? null : { timeEstimate: seconds };
});
const typing = setting((argument) => {
  const type = argument.trim().toLowerCase().replaceAll(' ', '_');
  return ['issue', 'incident', 'task'].includes(type) ? { issueType: type } : null;
});

const HANDLERS: Readonly<Record<string, Handler>> = {
  close: stateChange('closed'),
  reopen: stateChange('opened'),
  open: stateChange('opened'),
  title: update(({ issue }, argument) => {
    if (argument === '') return null;
    issue.title = argument;
    return { changes: { title: argument }, summary: `Changed the title to "${argument}".` };
  }),
  label: triage((context, argument) =>
    argument === '' ? null : relabelled(context, [...context.issue.labels, ...labelNames(argument)], 'Added'),
  ),
  unlabel: triage((context, argument) => {
    const gone = labelNames(argument);
    const kept = gone.length > 0 ? context.issue.labels.filter((label) => !gone.includes(label)) : [];
    return relabelled(context, kept, 'Removed');
  }),
  relabel: triage((context, argument) => relabelled(context, labelNames(argument), 'Replaced')),
  assign: assigning,
  reassign: assigning,
  unassign: assigning,
  confidential: setting(() => ({ confidential: true })),
  lock: setting(() => ({ discussionLocked: true })),
  unlock: setting(() => ({ discussionLocked: false })),
  due: setting((argument) => (argument === '' ? null : { dueDate: argument })),
  remove_due_date: setting(() => ({ dueDate: null })),
  estimate: estimating,
  remove_estimate: setting(() => ({ timeEstimate: 0 })),
  spend: spending,
  remove_time_spent: setting(() => ({ timeSpent: 0 })),
  weight: setting((argument) => (/^\d+$/.test(argument) ? { weight: Number(argument) } : null)),
  clear_weight: setting(() => ({ weight: null })),
  type: typing,
  promote_to: typing,
  promote_to_incident: setting(() => ({ issueType: 'incident' })),
  award: reacting,
  relate: linking('relates_to'),
  set_parent: triage((context, argument) => {
    const parent = issueNamed(context, argument);
    return parent && setParent(context, context.issue, parent) ? { summary: `Set #${parent.iid} as parent.` } : null;
  }),
  remove_parent: orphaning,
  clear_parent: orphaning,
  add_child: childing,
  remove_child: childing,
  blocks: linking('blocks'),
  blocked_by: linking('is_blocked_by'),
  duplicate: triage((context, argument, name) => {
    if (!issueNamed(context, argument)) return null;
    setIssueState(context.state, context.issue, 'closed', context.user);
    return linking('relates_to')(context, argument, name);
  }),
  move: triage((context, argument) => {
    const { state, project, issue, user } = context;
    const target = targetOf(context, argument);
    if (!target || target === project || issue.movedToId !== null || !mayTriage(target, user)) return null;
    moveIssue(state, project, issue, target, user);
    return { changes: { target_project: target.id }, summary: `Moved this issue to ${target.path}.` };
  }),
  clone: triage((context, argument) => {
    const target = argument === '' ? context.project : targetOf(context, argument);
    if (!target || !mayTriage(target, context.user)) return null;
    copyIssue(context.state, context.issue, target, {
      authorId: context.user.id,
      withNotes: argument.includes('--with_notes'),
    });
    return { changes: { clone: target.id }, summary: `Cloned this issue to ${target.path}.` };
  }),
};

const ALIASES: Readonly<Record<string, string>> = {
  labels: 'label',
  remove_label: 'unlabel',
  estimate_time: 'estimate',
  remove_time_estimate: 'remove_estimate',
  spend_time: 'spend',
  spent: 'spend',
  react: 'award',
};

/** For merge requests, epics and commits: on an issue they are taken out of the text and refused. */
const NOT_OF_ISSUES = new Set(
  (
    'approve assign_reviewer child_epic draft merge parent_epic q ready reassign_reviewer rebase remove_child_epic remove_parent_epic ' +
    'remove_reviewer request_changes request_review reviewer run_pipeline ship start_review submit_review tag target_branch unapprove ' +
    'unassign_reviewer'
  ).split(' '),
);

/**
 * Carries the commands out as this user; `issue.commands` remembers those that were, also the ones that change nothing the sandbox keeps
 * (a milestone, an epic). What the user may not do ends in `errors` and changes nothing.
 */
export function runCommands(
  state: SandboxState,
  project: Project,
  issue: Issue,
  user: User,
  commands: readonly Command[],
): CommandResult {
  const context = { state, project, issue, user };
  const result: CommandResult = { changes: {}, summary: [], errors: [] };
  const free = (name: string): Handler => (name in SUBSTITUTIONS || PERSONAL.has(name) ? anybody : triage(anybody));
  for (const { name, argument } of commands) {
    const key = ALIASES[name] ?? name;
    const outcome = NOT_OF_ISSUES.has(key) ? null : (HANDLERS[key] ?? free(key))(context, argument, name);
    if (!outcome) {
      result.errors.push(`Could not apply ${name} command.`);
      continue;
    }
    issue.commands.push({ name, argument, userId: user.id });
    Object.assign(result.changes, outcome.changes);
    result.summary.push(outcome.summary);
  }
  if (Object.keys(result.changes).length > 0) issue.updatedAt = state.timestamp();
  return result;
}

/** Of the person alone. */
const PERSONAL = new Set(['subscribe', 'unsubscribe', 'todo', 'done', 'cc']);

function anybody(_context: Context, _argument: string, name: string): Outcome {
  return { summary: `Carried out /${name}.` };
}
