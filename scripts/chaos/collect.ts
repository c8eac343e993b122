/** Reads at the end what was left behind, in the database, in the sandbox and with the people. */
import { contentKeyOf } from '../../src/app/delivery/payload.ts';
import { type AuditEntry, READ_AUDIT } from './audit.ts';
import type { History, HistoryEvent, HistoryRun } from './history.ts';
import type { Deeds } from './people.ts';
import type { World } from './world.ts';

/** Kinds of events that the service keeps. */
const KEPT = ['note', 'issue', 'work_item'];

export async function collectHistory(world: World, deeds: Deeds): Promise<History> {
  const { db, sandbox, post } = world;
  const { state } = sandbox;
  const events = await db.execute<Omit<HistoryEvent, 'data' | 'at'> & { data: string; at: Date | string }>(
    `select run_id as "runId", seq, at, type, data from events order by run_id, seq`,
  );
  return {
    runs: await db.execute<HistoryRun>(
      `select id, item_global_id as "itemId", status, reason, live, pause_id as "pauseId", seq from runs order by no`,
    ),
    events: events.map((event) => ({ ...event, at: new Date(event.at).toISOString(), data: JSON.parse(event.data) })),
    audit: await db.execute<AuditEntry>(READ_AUDIT),
    inbox: await db.execute('select id, content, state, error from inbox'),
    outbox: await db.execute('select marker, error from outbox'),
    outboxFailures: await db.execute(
      `select item_global_id as "itemId", run_id as "runId", kind, marker, error from outbox_failures`,
    ),
    recorded: await db.execute(`select item_global_id as "itemId", marker, note_id as "noteId" from notes`),
    actions: await db.execute(`select key, run_id as "runId" from actions`),
    items: state.projects.flatMap((project) =>
      project.issues.map((issue) => ({
        id: issue.id,
        projectId: project.id,
        iid: issue.iid,
        notes: state.notesOf(issue).map(({ id, discussionId, authorId, body }) => ({
          id,
          discussionId,
          author: state.user(authorId).username,
          body,
        })),
      })),
    ),
    journal: state.journal,
    acknowledged: [...post.acknowledged].flatMap(([id, body]) => {
      const payload = JSON.parse(body) as { object_kind?: string };
      return KEPT.includes(payload.object_kind ?? '') ? [{ id, content: contentKeyOf(payload) }] : [];
    }),
    accepted: deeds.accepted,
    commands: deeds.commands,
    replies: deeds.replies,
  };
}
