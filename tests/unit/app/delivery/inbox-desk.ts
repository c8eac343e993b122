import { handleDelivery, type InboxDeps } from '../../../../src/app/delivery/inbox.ts';
import type { GitLabIssue, GitLabNote, GitLabPort } from '../../../../src/ports/gitlab.ts';
import type { StoredDelivery } from '../../../../src/ports/inbox.ts';
import { createMemoryBreaker } from '../../../helpers/fakes/breaker.ts';
import { createService, type Service } from '../setup.ts';

export function inboxOf(
  issue: Partial<GitLabIssue> = {},
  change: { allowedBots?: number[]; gitlab?: Partial<GitLabPort> } = {},
) {
  const service = createService(issue);
  const deps: InboxDeps = {
    ...service.deps,
    inbox: service.inbox,
    outbox: service.outbox,
    gitlab: { ...service.gitlab, ...change.gitlab },
    allowedBots: change.allowedBots ?? [],
    breaker: createMemoryBreaker(service.clock),
    actionsPerMinute: 10,
    owner: 'deliveries-1',
    limit: 10,
    holdMs: 30_000,
  };
  return { service, deps };
}

export function deliveryOf(body: unknown, id = 'd1'): StoredDelivery {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { id, event: 'Note Hook', itemKey: '1/1', body: text, seq: 1, attempts: 0, unanswered: 0 };
}

/** The hook of a note as GitLab sends it. */
export function noteHook(note: GitLabNote, change: Record<string, unknown> = {}) {
  return {
    object_kind: 'note',
    project_id: 1,
    object_attributes: {
      id: note.id,
      note: note.body,
      noteable_type: 'Issue',
      action: 'create',
      system: false,
      discussion_id: note.discussionId,
      author_id: note.author.id,
      url: `https://gitlab.example/gitlab/acme/sample/-/issues/1#note_${note.id}`,
      ...change,
    },
    issue: { iid: 1, id: 501, title: 'Limit the export', description: 'It has to end somewhere.' },
  };
}

export async function comment(service: Service, deps: InboxDeps, username: string, text: string, change = {}) {
  const note = service.gitlab.say(username, 1, text);
  return handleDelivery(deps, deliveryOf(noteHook(note, change)));
}

/** What people were told of their commands. */
export const told = (service: Service) => service.store.data.outbox.filter((row) => row.kind === 'reply');
