import { readReplies } from '../../../../src/app/effects/replies.ts';
import { EVENT_VERSION, type EventOf, type RunEventBody } from '../../../../src/domain/run/events.ts';
import { apply, fold } from '../../../../src/domain/run/fold.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import type { Answer } from '../../../../src/domain/workplan/people.ts';
import type { GitLabAward, GitLabPort } from '../../../../src/ports/gitlab.ts';
import type { RunSettings } from '../../../../src/ports/run-store.ts';
import { createService, ids, personOf, questionOf, questionRow, runSettings, startRun } from '../setup.ts';

const never = new AbortController().signal;

interface Options {
  gitlab?: Partial<GitLabPort>;
  allowedBots?: number[];
  settings?: Partial<RunSettings>;
  awards?: [keyof typeof ids, string][];
}

/** A run that was continued at a pause with these questions, whose notes stand on the item. */
export async function asked(...questionIds: string[]) {
  const service = createService();
  const run = await startRun(service.store);
  const state = fold('run-a', run.events);
  record(state, { type: 'pinned', effectId: 'p', commit: null, language: 'en' });
  const threads = new Map<string, string>();
  await ask(service, state, threads, 'p1', questionIds);

  async function read(options: Options = {}): Promise<EventOf<'replies_read'>> {
    const awards = (options.awards ?? []).map(([username, name], index): GitLabAward => {
      const user = service.gitlab.world.users.find((known) => known.id === ids[username]);
      if (!user) throw new Error(username);
      return { id: index, name, user, createdAt: '2026-01-05T10:00:00.000Z' };
    });
    const pauseId = state.phase.kind === 'collecting' ? state.phase.pause.id : 'none';
    const event = await readReplies(
      {
        gitlab: { ...service.gitlab, noteAwards: async () => awards, ...options.gitlab },
        outbox: service.outbox,
        allowedBots: options.allowedBots ?? [],
      },
      state,
      { ...runSettings, ...options.settings },
      { id: 'e', pauseId },
      never,
    );
    if (event.type !== 'replies_read') throw new Error(event.type);
    return event;
  }

  return {
    service,
    state,
    read,
    reply: (username: keyof typeof ids, text: string, id = questionIds[0] ?? '') =>
      service.gitlab.say(username, 1, text, threads.get(id)),
    /** Continues at a next pause, after the answers read so far were recorded. */
    async next(event: EventOf<'replies_read'>, pauseId: string, questions: string[]) {
      record(state, event);
      await ask(service, state, threads, pauseId, questions);
    },
  };
}

export function record(state: RunState, body: RunEventBody): void {
  apply(state, { ...body, v: EVENT_VERSION, seq: state.seq + 1, at: '2026-01-05T09:00:00.000Z' });
}

/** Records where a question stands. */
export async function deliverQuestion(
  service: ReturnType<typeof createService>,
  note: { runId?: string; pauseId: string; questionId: string; noteId: number; discussionId: string },
) {
  const { outbox } = service;
  const known = { runId: 'run-a', marker: `q=${note.questionId}`, kind: 'question' as const, ...note };
  await outbox.add([{ ...questionRow, ...known }], { actionKey: null, deliveryId: null });
  const [row] = await outbox.take({ owner: 'o', limit: 1, leaseMs: 1000 });
  if (!row) throw new Error('there is nothing to deliver');
  await outbox.delivered(row.id, 'o', { ...known, url: '' });
}

async function ask(
  service: ReturnType<typeof createService>,
  state: RunState,
  threads: Map<string, string>,
  pauseId: string,
  questions: string[],
) {
  record(state, {
    type: 'paused',
    pauseId,
    kind: questions.length > 0 ? 'question' : 'context_gate',
    movement: 'plan',
    questions: questions.map((id) => questionOf(id)),
    missing: [],
  });
  for (const id of questions) {
    const thread = await service.gitlab.createDiscussion(1, 1, `Question ${id}?`);
    threads.set(id, thread.id);
    const [note] = thread.notes;
    await deliverQuestion(service, { pauseId, questionId: id, noteId: note?.id ?? 0, discussionId: thread.id });
  }
  record(state, { type: 'resumed', pauseId, by: personOf('alice'), via: 'api', decision: 'continue', reason: '' });
}

export const said = (answers: readonly Answer[]) =>
  answers.map((answer) => [answer.questionId, answer.by.username, answer.optionIds]);
