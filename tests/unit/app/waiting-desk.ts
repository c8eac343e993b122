import type { WaitingDeps } from '../../../src/app/waiting.ts';
import type { RunView } from '../../../src/domain/workplan/view.ts';
import type { GitLabPort } from '../../../src/ports/gitlab.ts';
import type { WaitingPause } from '../../../src/ports/upkeep.ts';
import { deliverQuestion } from './effects/asked.ts';
import { createService, type ids, pauseRun, startRun } from './setup.ts';

/** Run `run-a` of issue 1, which waits at pause `p1` for the answer to `q-p1`, its note on the item. `asked`: calls to GitLab by name. */
export async function waitingRun(kind: 'question' | 'context_gate' = 'question') {
  const service = createService();
  await startRun(service.store);
  await pauseRun(service, 'run-a', 'p1', kind);
  const thread = await service.gitlab.createDiscussion(1, 1, 'Which?');
  const noteId = thread.notes[0]?.id ?? 0;
  if (kind === 'question')
    await deliverQuestion(service, { pauseId: 'p1', questionId: 'q-p1', noteId, discussionId: thread.id });
  const asked: string[] = [];
  const gitlab = Object.fromEntries(
    Object.entries(service.gitlab).map(([name, call]) => [
      name,
      typeof call !== 'function'
        ? call
        : (...given: unknown[]) => {
            if (name !== 'me') asked.push(name);
            return (call as (...all: unknown[]) => unknown)(...given);
          },
    ]),
  ) as unknown as GitLabPort;
  const { store } = service;
  const upkeep = {
    async pausesToLookAt(): Promise<WaitingPause[]> {
      const { row } = store.run('run-a');
      if (!row.pause) return [];
      return [{ runId: 'run-a', seq: row.seq, pauseId: row.pause.id, kind: row.pause.kind, openedAt: '' }];
    },
  };
  const deps: WaitingDeps = { ...service.deps, gitlab, outbox: service.outbox, upkeep, allowedBots: [] };
  return {
    service,
    deps,
    asked,
    noteId,
    discussionId: thread.id,
    reply: (username: keyof typeof ids, text: string) => service.gitlab.say(username, 1, text, thread.id),
    /** State of the question as people see it; null before anything was shown. */
    shown: () => (store.run('run-a').row.view as RunView | null)?.questions[0]?.state ?? null,
    /** Texts of the status note that were written. */
    statusNotes: () => store.data.outbox.filter((row) => row.kind === 'status').map((row) => row.body),
  };
}
