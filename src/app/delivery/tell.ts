/** What a person is told of a command that was not done (spec 2: Actions): once, in the command's own thread. */
import { marker } from '../../domain/text/marker.ts';
import { languageOf } from '../../domain/workplan/language.ts';
import { renderRefusal } from '../../domain/workplan/notes.ts';
import type { OutboxStore } from '../../ports/outbox.ts';
import type { RunQueue } from '../../ports/run-queue.ts';

export interface TellDeps {
  outbox: Pick<OutboxStore, 'add'>;
  queue: Pick<RunQueue, 'wakeDeliveries'>;
}

/** A command on an item: where it stands, and where its answer goes. */
export interface ToldPlace {
  itemGlobalId: number;
  projectId: number;
  iid: number;
  /** Address of the item's page. */
  itemUrl: string;
  /** Of the item, to find its language. */
  title: string;
  description: string;
  noteId: number;
  discussionId: string | null;
}

/**
 * `actionKey` is the action's own: what was refused is not done either when the same comment is delivered again. The delivery is marked done
 * with it (D10).
 */
export async function tellRefusal(
  deps: TellDeps,
  place: ToldPlace,
  refusal: { code: string; message: string },
  cause: { actionKey: string; deliveryId: string },
): Promise<void> {
  await tell(deps, place, refusal, {}, cause);
}

/** A delivery that was given up: it is kept as failed, and a person who has it sent again gets what was asked for. */
export async function tellGivenUp(deps: TellDeps, place: ToldPlace, code: string): Promise<void> {
  const message = `The service could not do this (${code}). Try again later with a new comment, or ask an operator of the service.`;
  const refusal = { code: 'not_possible_now', message };
  await tell(deps, place, refusal, { about: 'given_up' }, { actionKey: null, deliveryId: null });
}

async function tell(
  deps: TellDeps,
  place: ToldPlace,
  { code, message }: { code: string; message: string },
  more: Record<string, string>,
  cause: { actionKey: string | null; deliveryId: string | null },
): Promise<void> {
  const { itemGlobalId, projectId, iid, itemUrl, noteId, discussionId } = place;
  const own = marker({ kind: 'reply', note: String(noteId), ...more });
  const language = languageOf(place);
  const row = {
    kind: 'reply' as const,
    itemGlobalId,
    projectId,
    iid,
    runId: null,
    pauseId: null,
    marker: own,
    body: `${renderRefusal({ code, message, language })}\n\n${own}`,
    discussion: false,
    replyTo: discussionId,
    itemUrl,
    questionId: null,
  };
  await deps.outbox.add([row], cause);
  await deps.queue.wakeDeliveries();
}
