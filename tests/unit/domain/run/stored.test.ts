import { describe, expect, test } from 'vitest';
import type { EventOf } from '../../../../src/domain/run/events.ts';
import { fromStored, toStored } from '../../../../src/domain/run/stored.ts';

const finished = (output: string, texts: string[]): EventOf<'agent_finished'> => ({
  type: 'agent_finished',
  effectId: 'e1',
  movement: 'plan',
  sub: null,
  output,
  truncated: false,
  produced: null,
  session: { key: 'plan', refresh: false },
  messages: [
    { role: 'user', text: output },
    ...texts.map((text) => ({ role: 'assistant' as const, text, toolCalls: [] })),
  ],
});

describe('a stored event', () => {
  test('holds what the agent said last once', () => {
    const said = 'The plan. '.repeat(20);

    const text = JSON.stringify(toStored(finished(said, ['First.', said])));

    // As the output, and where a person happened to say the same.
    expect(text.split(said)).toHaveLength(3);
  });

  test.each([
    ['the output as a message', finished('Done.', ['First.', 'Done.'])],
    ['another text as a message', finished('Done.', ['First.', 'Done, at last.'])],
    ['an empty output', finished('', [''])],
    ['no message', { ...finished('Done.', []), messages: [] }],
    ['no agent', { type: 'deadline_passed', what: 'run' } as const],
  ])('with %s comes back whole', (_name, event) => {
    expect(fromStored(JSON.parse(JSON.stringify(toStored(event))))).toEqual(event);
  });

  test.each([null, 'text', 7, [], { type: 'agent_finished' }, { type: 'agent_finished', messages: [null, 'x'] }])(
    'that is none (%j) comes back as it is',
    (value) => {
      expect(fromStored(value)).toEqual(value);
    },
  );
});
