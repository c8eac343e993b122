import { mayTriage, mayUpdateIssue } from './access.ts';
import type { Issue, Project, User } from './model.ts';
import type { SandboxState } from './state.ts';

/** Commands GitLab takes out of a text and carries out; other lines that start with a slash stay text. */
const COMMANDS = new Set([
  'close',
  'reopen',
  'open',
  'title',
  'label',
  'labels',
  'unlabel',
  'remove_label',
  'relabel',
  'assign',
  'unassign',
  'confidential',
  'lock',
  'unlock',
  'todo',
  'done',
  'subscribe',
  'unsubscribe',
  'due',
  'remove_due_date',
  'estimate',
  'spend',
  'weight',
  'milestone',
  'award',
  'react',
  'shrug',
  'tableflip',
  'duplicate',
  'move',
  'clone',
  'promote_to',
]);

export interface Command {
  name: string;
  argument: string;
}

/**
 * Splits a text into the commands GitLab would carry out and what is left of it. A command is a slash at the very start
 * of a line, outside fenced blocks and `>>>` quotes. Inside an HTML comment it counts too: GitLab's older parsers
 * carry it out there, and who posts must be safe on them.
 */
export function extractCommands(text: string): { commands: Command[]; rest: string } {
  const commands: Command[] = [];
  const kept: string[] = [];
  let fence: string | null = null;
  let quoted = false;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const command = /^\/([a-z_]+)(?:[ \t]+(.*?))?[ \t]*$/i.exec(line);
    const name = command?.[1]?.toLowerCase() ?? '';
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      kept.push(line);
    } else if (mark) {
      fence = mark;
      kept.push(line);
    } else if (line.trim() === '>>>') {
      quoted = !quoted;
      kept.push(line);
    } else if (!quoted && COMMANDS.has(name)) {
      commands.push({ name, argument: command?.[2] ?? '' });
    } else {
      kept.push(line);
    }
  }
  return { commands, rest: commands.length > 0 ? kept.join('\n').trim() : text };
}

function names(argument: string): string[] {
  return [...argument.matchAll(/~(?:"([^"]+)"|(\S+))/g)].map((match) => match[1] ?? match[2] ?? '');
}

/** Closes or reopens; false when it was so already. */
export function setIssueState(state: SandboxState, issue: Issue, wanted: 'opened' | 'closed', user: User): boolean {
  if (issue.state === wanted) return false;
  issue.state = wanted;
  issue.closedAt = wanted === 'closed' ? state.timestamp() : null;
  issue.closedById = wanted === 'closed' ? user.id : null;
  return true;
}

export interface CommandResult {
  changes: Record<string, unknown>;
  summary: string[];
  errors: string[];
}

/** Carries the commands out as this user. What the user may not do ends in `errors` and changes nothing. */
export function runCommands(
  state: SandboxState,
  project: Project,
  issue: Issue,
  user: User,
  commands: readonly Command[],
): CommandResult {
  const result: CommandResult = { changes: {}, summary: [], errors: [] };
  for (const { name, argument } of commands) {
    const update = mayUpdateIssue(project, issue, user);
    const triage = mayTriage(project, user);
    const labels = (wanted: string[], verb: string): void => {
      state.setLabels(project, issue, wanted, user.id, state.timestamp());
      result.changes.label_ids = wanted;
      result.summary.push(`${verb} label(s).`);
    };
    if (name === 'close' && update) {
      setIssueState(state, issue, 'closed', user);
      result.changes.state_event = 'close';
      result.summary.push('Closed this issue.');
    } else if ((name === 'reopen' || name === 'open') && update) {
      setIssueState(state, issue, 'opened', user);
      result.changes.state_event = 'reopen';
      result.summary.push('Reopened this issue.');
    } else if (name === 'title' && update && argument !== '') {
      issue.title = argument;
      result.changes.title = argument;
      result.summary.push(`Changed the title to "${argument}".`);
    } else if ((name === 'label' || name === 'labels') && triage) {
      labels([...issue.labels, ...names(argument)], 'Added');
    } else if ((name === 'unlabel' || name === 'remove_label') && triage) {
      const gone = names(argument);
      labels(gone.length > 0 ? issue.labels.filter((label) => !gone.includes(label)) : [], 'Removed');
    } else if (name === 'relabel' && triage) {
      labels(names(argument), 'Replaced');
    } else if ((name === 'assign' || name === 'unassign') && triage) {
      const mentioned = [...argument.matchAll(/@(\w+)|\bme\b/g)].map((match) => match[1] ?? user.username);
      const ids = state.users.filter((known) => mentioned.includes(known.username)).map((known) => known.id);
      issue.assigneeIds =
        name === 'assign' ? ids.slice(0, 1) : issue.assigneeIds.filter((id) => ids.length > 0 && !ids.includes(id));
      result.changes.assignee_ids = issue.assigneeIds;
      result.summary.push(`${name === 'assign' ? 'Assigned' : 'Removed assignee'} ${argument}.`);
    } else if (name === 'confidential' && triage) {
      issue.confidential = true;
      result.changes.confidential = true;
      result.summary.push('Made this issue confidential.');
    } else if ((name === 'lock' || name === 'unlock') && triage) {
      issue.discussionLocked = name === 'lock';
      result.changes.discussion_locked = issue.discussionLocked;
      result.summary.push(`${name === 'lock' ? 'Locked' : 'Unlocked'} the discussion.`);
    } else if (name === 'shrug' || name === 'tableflip' || name === 'subscribe' || name === 'todo' || name === 'done') {
      result.summary.push(`Carried out /${name}.`);
    } else {
      result.errors.push(`Could not apply ${name} command.`);
    }
  }
  if (Object.keys(result.changes).length > 0) issue.updatedAt = state.timestamp();
  return result;
}
