import type { ModelPort, ModelReply, ModelRequest, ModelTag } from '../../../src/ports/model.ts';

/** One expected call: what it answers, or what it throws. */
export type FakeReply =
  | Partial<ModelReply>
  | Error
  | ((request: ModelRequest) => Partial<ModelReply> | Promise<Partial<ModelReply>>);

export interface FakeModel extends ModelPort {
  /** What was asked; messages as they were at that moment. */
  readonly requests: readonly ModelRequest[];
}

/** A model that gives these replies in their order, and throws when it is asked once more. */
export function createFakeModel(...replies: FakeReply[]): FakeModel {
  const requests: ModelRequest[] = [];
  return {
    label: 'fake',
    requests,
    complete: async (request) => {
      requests.push({ ...request, messages: [...request.messages] });
      const reply = replies[requests.length - 1];
      if (reply === undefined) throw new Error(`the fake model was asked ${requests.length} times`);
      if (reply instanceof Error) throw reply;
      const given = typeof reply === 'function' ? await reply(request) : reply;
      return { text: '', toolCalls: [], usage: { inputTokens: 10, outputTokens: 1, estimated: false }, ...given };
    },
  };
}

/** A tag for tests, at a script's start. */
export function fakeTag(tag: Partial<ModelTag> = {}): ModelTag {
  return {
    runId: 'run-1',
    movement: 'plan',
    stage: 'agent',
    role: 'planner',
    produces: [],
    position: { movement: 0, run: 0, judge: 0 },
    ...tag,
  };
}
