import fc from 'fast-check';
import { parseExpression } from '../../../../src/domain/piece/parse-expression.ts';
import type { AgentMovement, Condition, Movement, Piece, Rule, Variable } from '../../../../src/domain/piece/types.ts';
import type { Effect } from '../../../../src/domain/run/effects.ts';
import type { RunEventBody } from '../../../../src/domain/run/events.ts';
import type { RunState } from '../../../../src/domain/run/state.ts';
import { alice, type Perform, type Resume } from './driver.ts';
import { answerTo, questionOf, samplePlan } from './samples.ts';

const NAMES = ['a', 'b', 'c'] as const;
const SUBS = ['s1', 's2', 's3'] as const;

const target = fc.constantFrom(...NAMES, 'COMPLETE', 'ABORT');
const textCondition = fc.constantFrom('yes', 'no', 'perhaps').map((text): Condition => ({ kind: 'text', text }));
const aiCondition = fc.constantFrom('fine', 'bad').map((text): Condition => ({ kind: 'ai', text }));
const aggregate = fc
  .tuple(fc.constantFrom('all' as const, 'any' as const), fc.constantFrom('yes', 'no'))
  .map(([kind, arg]): Condition => ({ kind, args: [arg] }));

const EXPRESSIONS = [
  'v == "x"',
  'v != "y" and n > 1',
  'n in (0, 2)',
  'not (v == null)',
  'produced == "questions"',
  'true',
];
const whenCondition = fc.constantFrom(...EXPRESSIONS).map((text): Condition => {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return { kind: 'when', text, expression: parsed.expression };
});

function written(condition: Condition): string {
  if (condition.kind === 'text') return condition.text;
  if (condition.kind === 'ai') return `ai("${condition.text}")`;
  if (condition.kind === 'when') return condition.text;
  return `${condition.kind}("${condition.args.join('", "')}")`;
}

function rules(condition: fc.Arbitrary<Condition>, next: fc.Arbitrary<string> = target): fc.Arbitrary<Rule[]> {
  const rule = fc.record({
    condition,
    next,
    requiresUserInput: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    interactiveOnly: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
  return fc
    .array(rule, { minLength: 1, maxLength: 3 })
    .map((list) => list.map((one, index) => ({ ...one, index, text: written(one.condition) })));
}

const onFailure = fc.option(fc.constantFrom(...NAMES, 'COMPLETE'), { nil: undefined });

function agent(name: string, ownRules: Rule[], failure?: string): AgentMovement {
  return {
    kind: 'agent',
    name,
    agentName: name,
    edit: false,
    permissionMode: 'default',
    session: 'continue',
    passPreviousResponse: true,
    produces: [],
    rules: ownRules,
    ...(failure === undefined ? {} : { onFailure: failure }),
  };
}

function named(text: string, index: number, next: string): Rule {
  const condition: Condition = { kind: 'text', text };
  return { index, condition, text, next, requiresUserInput: false, interactiveOnly: false };
}

/** Variables that every agent of a generated piece may write. */
const variables: Variable[] = [
  { name: 'v', type: 'string', values: ['x', 'y', 'z'] },
  { name: 'n', type: 'integer' },
];

/** A rule by a `when` expression among others, first or last. */
function withWhen(own: fc.Arbitrary<Rule[]>): fc.Arbitrary<Rule[]> {
  const one = rules(whenCondition).map((list) => list.slice(0, 1));
  const mixed = fc
    .tuple(own, one, fc.boolean())
    .map(([list, when, first]) => (first ? [...when, ...list] : [...list, ...when]))
    .map((list) => list.map((rule, index) => ({ ...rule, index })));
  return fc.oneof({ weight: 3, arbitrary: own }, { weight: 2, arbitrary: mixed });
}

function movement(name: string): fc.Arbitrary<Movement> {
  const anyAgent = fc
    .tuple(withWhen(rules(fc.oneof(textCondition, aiCondition))), onFailure)
    .map(([own, failure]): Movement => agent(name, own, failure));
  const route = fc.tuple(rules(whenCondition), onFailure).map(([own, failure]): Movement => agent(name, own, failure));
  const parallel = fc
    .record({
      subs: fc.array(fc.oneof(fc.constant<Rule[]>([]), withWhen(rules(fc.oneof(textCondition, aiCondition)))), {
        minLength: 0,
        maxLength: 3,
      }),
      own: withWhen(rules(fc.oneof(aggregate, aggregate, textCondition, aiCondition))),
      failure: onFailure,
      maxParallel: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    })
    .map(
      ({ subs, own, failure, maxParallel }): Movement => ({
        kind: 'parallel',
        name,
        subs: subs.map((subRules, index) => agent(`${name}-${SUBS[index]}`, subRules)),
        rules: own,
        ...(failure === undefined ? {} : { onFailure: failure }),
        ...(maxParallel === undefined ? {} : { maxParallel }),
      }),
    );
  const gate = fc.tuple(fc.constantFrom('input' as const, 'context' as const, 'approval' as const), target, target).map(
    ([kind, one, two]): Movement => ({
      kind: 'gate',
      name,
      gate: kind,
      rules:
        kind === 'approval' ? [named('approved', 0, one), named('rejected', 1, two)] : [named('continued', 0, one)],
    }),
  );
  const action = fc
    .tuple(fc.constantFrom('publish_workplan' as const, 'compute_score' as const), target, target, onFailure)
    .map(
      ([kind, one, two, failure]): Movement => ({
        kind: 'action',
        name,
        action: kind,
        rules: [named('done', 0, one), named('failed', 1, two)],
        ...(failure === undefined ? {} : { onFailure: failure }),
      }),
    );
  return fc.oneof({ weight: 4, arbitrary: anyAgent }, { weight: 3, arbitrary: parallel }, route, gate, action);
}

/** Small pieces of every kind of movement. */
export const pieces: fc.Arbitrary<Piece> = fc
  .record({
    movements: fc.tuple(movement('a'), movement('b'), movement('c')),
    maxIterations: fc.integer({ min: 1, max: 9 }),
    initialMovement: fc.constantFrom(...NAMES),
    monitors: fc.array(
      fc.record({
        cycle: fc.constantFrom<string[]>(['a'], ['a', 'b'], ['b', 'c'], ['a', 'b', 'c']),
        threshold: fc.integer({ min: 1, max: 2 }),
        own: rules(textCondition),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ monitors, ...piece }) => ({
    name: 'generated',
    language: 'en',
    variables,
    ...piece,
    loopMonitors: monitors.map(({ cycle, threshold, own }) => ({ cycle, threshold, judge: { rules: own } })),
  }));

/** A number that depends on the text and the seed alone. */
function dice(seed: number, text: string, sides: number): number {
  let hash = 2166136261 ^ seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return ((hash ^ (hash >>> 13)) >>> 0) % sides;
}

/** A world in which what an effect brings depends on its id alone (D7: performed twice, the same). */
export function worldOf(seed: number): { perform: Perform; resume: Resume; first: (effects: Effect[]) => Effect } {
  return {
    perform: (effect, state) => [outcome(seed, effect, state)],
    resume: (pause) => ({
      by: alice,
      via: 'api',
      decision: pause.kind !== 'approval' ? 'continue' : dice(seed, pause.id, 2) === 0 ? 'approve' : 'reject',
      reason: dice(seed, `${pause.id}?`, 2) === 0 ? '' : 'because',
    }),
    first: (effects) => effects[dice(seed, effects.map((effect) => effect.id).join(), effects.length)] as Effect,
  };
}

function outcome(seed: number, effect: Effect, state: RunState): RunEventBody {
  const { id: effectId } = effect;
  const roll = (sides: number, salt = '') => dice(seed, effectId + salt, sides);
  switch (effect.kind) {
    case 'agent': {
      const { movement: of, sub } = effect;
      const place = { effectId, movement: of, sub };
      if (roll(8) === 0) return { type: 'agent_failed', ...place, code: 'model_failed', message: 'failed' };
      const output = roll(4, 'tag') === 0 ? `no tag in ${effectId}` : `said in ${effectId} [STEP:${roll(3, 'step')}]`;
      const produced =
        roll(3, 'data') > 0
          ? null
          : { kind: 'questions', value: { questions: [questionOf(`q${roll(3, 'question')}`)] } };
      const inputs = {
        variables: {
          ...(roll(2, 'v?') === 0 ? {} : { v: ['x', 'y', 'z'][roll(3, 'v')] ?? 'x' }),
          ...(roll(2, 'n?') === 0 ? {} : { n: roll(4, 'n') }),
        },
        properties: { by: effectId },
      };
      const said = { output, truncated: false, produced, session: null, messages: [] };
      return { type: 'agent_finished', ...place, ...said, ...(roll(3, 'inputs') === 0 ? {} : { inputs }) };
    }
    case 'judge': {
      const { movement: of, sub, stage } = effect;
      const chosen = roll(3) === 0 ? null : (effect.conditions[roll(effect.conditions.length, 'which')]?.index ?? null);
      return { type: 'judge_answered', effectId, movement: of, sub, stage, index: chosen };
    }
    case 'action': {
      const done = roll(3) > 0;
      const data = effect.action === 'publish_workplan' ? { workplan: samplePlan, scoring: roll(2, 'on') === 0 } : {};
      return {
        type: 'action_finished',
        effectId,
        movement: effect.movement,
        outcome: done ? 'done' : 'failed',
        message: '',
        data,
      };
    }
    case 'replies': {
      const answers = state.questions
        .map((asked) => asked.question.id)
        .filter((id) => roll(2, id) === 0)
        .map((id) => answerTo(id));
      const inputs = [{ question: effect.pauseId, answer: `${answers.length} answers` }];
      return { type: 'replies_read', effectId, pauseId: effect.pauseId, answers, inputs, assume: answers.length === 0 };
    }
    case 'pin':
      throw new Error('the driver pins');
  }
}
