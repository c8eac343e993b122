/** The engine alone, in memory: decide, prompt, rules, reports and fold; the model's answers cost nothing (design: Speed to reach). */
import { createScriptedModel } from '../src/adapters/models/scripted.ts';
import { createSystemClock } from '../src/adapters/system/clock.ts';
import { runLocally } from '../src/app/local/run-locally.ts';
import { applyAll, settle } from '../src/app/runner/settle.ts';
import { loadPiece } from '../src/domain/piece/load.ts';
import { limitOutput } from '../src/domain/piece/output.ts';
import { buildPrompt } from '../src/domain/piece/prompt.ts';
import { extractReports } from '../src/domain/piece/reports.ts';
import { sessionKey } from '../src/domain/piece/session.ts';
import type { AgentMovement, Piece, PieceBundle } from '../src/domain/piece/types.ts';
import type { AgentEffect } from '../src/domain/run/effects.ts';
import type { RunEventBody } from '../src/domain/run/events.ts';
import { initialState } from '../src/domain/run/fold.ts';
import type { RunState } from '../src/domain/run/state.ts';
import { type Bench, type Figure, median } from './figures.ts';

const ROUNDS = 5;
const ROUND_MS = 1500;
const AT = '2026-01-02T03:04:05.000Z';

const TEXT = `name: bench
max_iterations: 30
initial_movement: plan
movements:
  - name: plan
    agent: agent.md
    edit: false
    report: { name: 00-plan.md, format: "# Plan" }
    instruction_template: |
      Plan {task}. Round {movement_iteration} of {max_iterations}.
    rules:
      - { condition: clear, next: implement }
      - { condition: unclear, next: ABORT }
  - name: implement
    agent: agent.md
    edit: true
    session: refresh
    instruction_template: |
      Carry out {report:00-plan.md} with {previous_response}
    rules:
      - { condition: done, next: review }
      - { condition: stuck, next: plan }
  - name: review
    parallel:
      - name: architecture
        agent: agent.md
        edit: false
        instruction_template: Review the structure.
        rules: [{ condition: approved }, { condition: needs_fix }]
      - name: security
        agent: agent.md
        edit: false
        instruction_template: Review the security.
        rules: [{ condition: approved }, { condition: needs_fix }]
    rules:
      - { condition: all("approved"), next: supervise }
      - { condition: any("needs_fix"), next: fix }
  - name: fix
    agent: agent.md
    edit: true
    instruction_template: Fix what was found.
    rules:
      - { condition: fixed, next: review }
  - name: supervise
    agent: agent.md
    edit: false
    instruction_template: Check it all.
    rules:
      - { condition: complete, next: COMPLETE }
      - { condition: incomplete, next: plan }
loop_monitors:
  - cycle: [review, fix]
    threshold: 3
    judge: { rules: [{ condition: healthy, next: review }, { condition: stuck, next: ABORT }] }
`;

/** Rules by the turn of each movement: reviewed twice, so eight agents run in six movements; the movements count. */
const TAGS: Record<string, number[]> = {
  plan: [0],
  implement: [0],
  architecture: [0, 0],
  security: [1, 0],
  fix: [0],
  supervise: [0],
};

export const bench: Bench = {
  what: 'Movements a second (a parallel one with its two sub-movements counts once) in one process, 2 kB an answer: decide, prompt, rules, reports, fold; no model, no store.',
  async run(log) {
    const bundle: PieceBundle = {
      name: 'bench',
      file: 'bench.yaml',
      text: TEXT,
      files: { 'agent.md': 'Be careful.\n'.repeat(40) },
    };
    const { piece } = loadPiece(bundle);
    if (piece === null) throw new Error('The benchmark piece does not load.');
    const engine: number[] = [];
    const local: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rates = [measure(() => runOnce(piece, bundle)), await measureAsync(() => runWhole(piece, bundle))] as const;
      // The first round only warms up.
      if (round === 0) continue;
      engine.push(rates[0]);
      local.push(rates[1]);
      log(`round ${round}: engine ${Math.round(rates[0])}/s, with the agent loop ${Math.round(rates[1])}/s`);
    }
    const figures: Figure[] = [
      { name: 'engine alone', value: Math.round(median(engine)), unit: 'movements/s', goal: { min: 30_000 } },
      {
        name: 'whole local run, agent loop and script included',
        value: Math.round(median(local)),
        unit: 'movements/s',
      },
    ];
    return figures;
  },
};

function measure(once: () => number): number {
  const started = performance.now();
  let done = 0;
  while (performance.now() - started < ROUND_MS) done += once();
  return (done / (performance.now() - started)) * 1000;
}

async function measureAsync(once: () => Promise<number>): Promise<number> {
  const started = performance.now();
  let done = 0;
  while (performance.now() - started < ROUND_MS) done += await once();
  return (done / (performance.now() - started)) * 1000;
}

/** A run from its first event to its end; answers how many movements ran. */
function runOnce(piece: Piece, bundle: PieceBundle): number {
  const state = initialState('bench');
  applyAll(state, [start()], AT);
  applyAll(state, [{ type: 'pinned', effectId: 'pin', commit: null, language: 'en' }], AT);
  const turns: Record<string, number> = {};
  for (let agents = 0; ; ) {
    const { decision } = settle(piece, state, AT);
    if (decision.kind === 'end') {
      if (state.phase.kind !== 'ended' || state.phase.status !== 'completed' || agents !== 8)
        throw new Error(`The benchmark's run went wrong after ${agents} agents.`);
      return state.iteration;
    }
    if (decision.kind === 'wait') throw new Error('The benchmark waits.');
    for (const effect of decision.effects) {
      if (effect.kind !== 'agent') throw new Error(`The benchmark met a ${effect.kind} effect.`);
      applyAll(state, perform(piece, bundle, state, effect, turns), AT);
      agents += 1;
    }
  }
}

function start(): RunEventBody {
  const startedBy = { id: 0, username: 'bench' };
  return {
    type: 'run_started',
    goal: 'Add a login page',
    startedBy,
    item: null,
    interactive: false,
    reportDir: 'r',
    carried: [],
  };
}

function perform(
  piece: Piece,
  bundle: PieceBundle,
  state: RunState,
  effect: AgentEffect,
  turns: Record<string, number>,
): RunEventBody[] {
  const movement = agentOf(piece, effect);
  const isSub = effect.sub !== null;
  const prompt = buildPrompt({ piece, bundle, state, movement, isSub, place: 'local' });
  const turn = turns[movement.name] ?? 0;
  turns[movement.name] = turn + 1;
  const { text, truncated } = limitOutput(answerOf(movement.name, turn));
  const finished: RunEventBody = {
    type: 'agent_finished',
    effectId: effect.id,
    movement: effect.movement,
    sub: effect.sub,
    output: text,
    truncated,
    produced: null,
    session: { key: sessionKey(movement, isSub), refresh: movement.session === 'refresh' },
    messages: [
      { role: 'user', text: prompt.text },
      { role: 'assistant', text, toolCalls: [] },
    ],
  };
  if (!movement.report) return [finished];
  const { files } = extractReports(movement.report, text);
  const { movement: name, sub } = effect;
  return [finished, ...files.map((file): RunEventBody => ({ type: 'report_written', movement: name, sub, ...file }))];
}

function agentOf(piece: Piece, effect: AgentEffect): AgentMovement {
  const movement = piece.movements.find((candidate) => candidate.name === effect.movement);
  const found = movement?.kind === 'parallel' ? movement.subs.find((sub) => sub.name === effect.sub) : movement;
  if (found?.kind !== 'agent') throw new Error(`no agent ${effect.id}`);
  return found;
}

const LINE = 'What was found, why it matters and what should be done about it next.\n';
const REPORT = `\`\`\`markdown\n# Plan\n${LINE.repeat(14)}\`\`\`\n`;
const answers = new Map<string, string>();

function answerOf(movement: string, turn: number): string {
  const key = `${movement} ${turn}`;
  let answer = answers.get(key);
  if (answer === undefined) {
    const tag = `[STEP:${TAGS[movement]?.[turn] ?? 0}]`;
    answer = movement === 'plan' ? `${LINE.repeat(14)}${REPORT}${tag}` : `${LINE.repeat(28)}${tag}`;
    answers.set(key, answer);
  }
  return answer;
}

/** The same run through the driver of `piece run`: agent loop, script and lines included. */
async function runWhole(piece: Piece, bundle: PieceBundle): Promise<number> {
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const { end } = await runLocally(
    { piece, bundle, task: 'Add a login page', interactive: false, modelId: '' },
    {
      model: scripted,
      clock: createSystemClock(),
      log: silent,
      limits: { agentSteps: 40, agentTimeoutMs: 600_000 },
      allowedBots: [],
      exhausted: scripted.exhausted,
      reports: null,
      answer: async () => null,
      emit: ignore,
    },
    AbortSignal.timeout(60_000),
  );
  if (end.status !== 'completed') throw new Error(`The benchmark's run was aborted: ${end.reason}`);
  return 6;
}

function ignore(): void {}

const scripted = createScriptedModel(
  JSON.stringify(
    Object.entries(TAGS).flatMap(([movement, tags]) =>
      tags.map((_, turn) => ({ movement, output: answerOf(movement, turn) })),
    ),
  ),
  'bench.json',
);
