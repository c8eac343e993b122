import type { EffectContext, EffectOutcome, PerformEffect } from '../../../../src/app/runner/advance.ts';
import type { Effect } from '../../../../src/domain/run/effects.ts';
import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import type { RunStore } from '../../../../src/ports/run-store.ts';

interface Asked {
  effect: Effect;
  context: EffectContext;
  outcome: PromiseWithResolvers<EffectOutcome>;
}

export interface Desk {
  perform: PerformEffect;
  /** Resolves when the effect with this id has been begun. */
  asked(id: string): Promise<Asked>;
  /** Ends an effect with these events, as soon as it is begun. */
  finish(id: string, ...events: RunEventBody[]): Promise<void>;
  /** Ends the agent with this output. */
  say(id: string, output: string, produced?: { kind: string; value: unknown }): Promise<void>;
  readonly begun: string[];
}

/** Effects that lie on a desk until the test ends them. */
export function createDesk(): Desk {
  const begun: string[] = [];
  const desk = new Map<string, PromiseWithResolvers<Asked>>();

  function place(id: string): PromiseWithResolvers<Asked> {
    const known = desk.get(id) ?? Promise.withResolvers<Asked>();
    desk.set(id, known);
    return known;
  }

  async function finish(id: string, ...events: RunEventBody[]): Promise<void> {
    const { outcome } = await place(id).promise;
    outcome.resolve({
      events,
      usage: [{ effectId: id, model: 'm', inputTokens: 1, outputTokens: 1, estimated: false }],
    });
  }

  return {
    begun,
    perform: (effect, context) => {
      begun.push(effect.id);
      const outcome = Promise.withResolvers<EffectOutcome>();
      place(effect.id).resolve({ effect, context, outcome });
      return outcome.promise;
    },
    asked: (id) => place(id).promise,
    finish,
    async say(id, output, produced) {
      const { effect } = await place(id).promise;
      if (effect.kind !== 'agent') throw new Error(`${id} is no agent`);
      const { movement, sub } = effect;
      await finish(id, {
        type: 'agent_finished',
        effectId: id,
        movement,
        sub,
        output,
        truncated: false,
        produced: produced ?? null,
        session: null,
        messages: [],
      });
    },
  };
}

export interface WatchedAppends<S> {
  store: S;
  /** Resolves when so many appends were answered or failed. */
  until(count: number): Promise<void>;
  readonly count: () => number;
}

/** The store with its appends counted. */
export function watchAppends<S extends Pick<RunStore, 'append'>>(store: S): WatchedAppends<S> {
  let count = 0;
  const waiting: { count: number; done: () => void }[] = [];
  const append: RunStore['append'] = async (input) => {
    try {
      return await store.append(input);
    } finally {
      count += 1;
      for (const one of waiting) if (one.count <= count) one.done();
    }
  };
  return {
    store: { ...store, append },
    count: () => count,
    until: (wanted) =>
      new Promise((resolve) => {
        if (count >= wanted) resolve();
        else waiting.push({ count: wanted, done: resolve });
      }),
  };
}
