import { describe, expect, test } from 'vitest';
import { sessionKey } from '../../../../src/domain/piece/session.ts';
import { fold, initialState } from '../../../../src/domain/run/fold.ts';
import { reportVersions } from '../../../../src/domain/run/report-versions.ts';
import { agentOf, pieceOf } from '../piece/helpers.ts';
import { endOf, type Perform, RUN, simulate } from './driver.ts';

const odd = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '42',
  'a b',
  'plan [draft] (2)',
  '計画・作成',
  'План работ',
  'a/b',
  '{task}',
];

/** Every agent says its own name, ends with the first rule, and writes a report under a fixed name. */
const perform: Perform = (effect) => {
  if (effect.kind !== 'agent') throw new Error(`unexpected ${effect.kind}`);
  const { id: effectId, movement, sub } = effect;
  const name = sub ?? movement;
  return [
    {
      type: 'agent_finished',
      effectId,
      movement,
      sub,
      output: `${name} [STEP:0]`,
      truncated: false,
      produced: { kind: 'review', value: name },
      session: { key: name, refresh: false },
      messages: [{ role: 'assistant', text: name, toolCalls: [] }],
      inputs: { variables: {}, properties: { by: name } },
    },
    { type: 'report_written', movement, sub, file: name.replace('/', ' '), text: effectId },
  ];
};

describe.each(odd)('a movement called %j', (name) => {
  const piece = pieceOf(`
name: demo
max_iterations: 4
initial_movement: ${JSON.stringify(name)}
movements:
  - {name: ${JSON.stringify(name)}, edit: false, rules: [{condition: go, next: ${JSON.stringify(`${name}-all`)}}]}
  - name: ${JSON.stringify(`${name}-all`)}
    parallel:
      - {name: ${JSON.stringify(`${name}!`)}, edit: false, rules: [{condition: ok}]}
    rules: [{condition: 'all("ok")', next: COMPLETE}]
`);

  test('counts, talks, reports and ends as any other', () => {
    const { log, state } = simulate({ piece, perform });

    expect(endOf(log).status).toBe('completed');
    expect(Object.entries(state.movementIteration)).toEqual([
      [name, 1],
      [`${name}-all`, 1],
    ]);
    expect(state.sessions[name]).toEqual([{ role: 'assistant', text: name, toolCalls: [] }]);
    expect(state.inputs[name]).toEqual({ by: name });
    expect(Object.entries(state.calls.movement)).toEqual([
      [name, 1],
      [`${name}!`, 1],
    ]);
    expect(Object.values(state.reports)).toHaveLength(2);
    expect(state.data[`${name}-all/${name}!`]).toMatchObject({ value: `${name}!` });
    expect(sessionKey(agentOf(piece, name), false)).toBe(name);
  });

  test('the log folds to the same state from its stored form', () => {
    const { log, state } = simulate({ piece, perform });

    expect(fold(RUN, JSON.parse(JSON.stringify(log)))).toEqual(state);
  });
});

describe.each(odd)('a sub-movement called %j', (name) => {
  test('has a result of its own, and none before it ran', () => {
    const piece = pieceOf(`
name: demo
max_iterations: 2
initial_movement: all of them
movements:
  - name: all of them
    parallel: [{name: ${JSON.stringify(name)}, edit: false, rules: [{condition: ok}]}]
    rules: [{condition: 'all("ok")', next: COMPLETE}]
`);
    const { log, performed } = simulate({ piece, perform });

    expect(performed).toHaveLength(2);
    expect(endOf(log).status).toBe('completed');
  });
});

test('names that were never used are not there', () => {
  const state = initialState(RUN);

  for (const record of [
    state.movementIteration,
    state.sessions,
    state.reports,
    state.data,
    state.variables,
    state.inputs,
  ])
    expect(record['constructor']).toBeUndefined();
  expect(state.calls.movement['constructor']).toBeUndefined();
  expect(state.calls.judges['toString']).toBeUndefined();
});

test('a report written again keeps its earlier versions', () => {
  const piece = pieceOf(`
name: demo
max_iterations: 3
initial_movement: write
movements:
  - name: write
    edit: false
    rules: [{condition: again, next: write}, {condition: done, next: COMPLETE}]
`);
  const { log, state } = simulate({
    piece,
    perform: (effect, before) => {
      const { id: effectId } = effect;
      const [place, text] = [{ movement: 'write', sub: null }, `version ${before.iteration}`];
      const said = { output: before.iteration < 3 ? '[STEP:0]' : '[STEP:1]', truncated: false, produced: null };
      return [
        { type: 'agent_finished', effectId, ...place, ...said, session: null, messages: [] },
        { type: 'report_written', ...place, file: 'plan.md', text },
        ...(before.iteration === 2
          ? [{ type: 'report_written' as const, ...place, file: 'other.md', text: 'once' }]
          : []),
      ];
    },
  });

  expect(state.reports['plan.md']).toBe('version 3');
  expect(reportVersions(log).map(({ at, file, text, version }) => [file, version, text, typeof at])).toEqual([
    ['plan.md', 1, 'version 1', 'string'],
    ['plan.md', 2, 'version 2', 'string'],
    ['other.md', 1, 'once', 'string'],
    ['plan.md', 3, 'version 3', 'string'],
  ]);
});
