import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { namedFiles } from '../../../src/domain/piece/files.ts';
import { loadPiece } from '../../../src/domain/piece/load.ts';
import { matchAgent } from '../../../src/domain/piece/match.ts';
import { buildPrompt } from '../../../src/domain/piece/prompt.ts';
import type { AgentMovement, Piece, PieceBundle } from '../../../src/domain/piece/types.ts';
import { initialState } from '../../../src/domain/run/fold.ts';
import { DATA_SCHEMAS, isDataKind } from '../../../src/domain/workplan/data-kinds.ts';
import { drive, planned, RESEARCH } from '../adapters/models/offline/flow.ts';
import { Host } from '../adapters/models/offline/host.ts';
import { AMBIGUOUS, CLEAR, LIBRARY, THIN } from '../adapters/models/offline/samples.ts';

const folder = new URL('../../../pieces/', import.meta.url);

function bundle(): PieceBundle {
  const text = readFileSync(new URL('workplan.yaml', folder), 'utf8');
  const files = Object.fromEntries(namedFiles(text).map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]));
  return { name: 'workplan', file: 'workplan.yaml', text, files };
}

function load(): Piece {
  const { piece, diagnostics } = loadPiece(bundle());
  if (piece === null) throw new Error(diagnostics.map((one) => one.message).join('\n'));
  return piece;
}

function agents(piece: Piece): AgentMovement[] {
  return piece.movements.flatMap((one) => (one.kind === 'agent' ? [one] : one.kind === 'parallel' ? one.subs : []));
}

function find(name: string): AgentMovement {
  const found = agents(load()).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no movement ${name}`);
  return found;
}

/** Runs the offline planner on the movement's real prompt and reads the rule it chose. */
async function chosen(host: Host, name: string, interactive = true): Promise<string> {
  const movement = find(name);
  const piece = load();
  const isSub = !piece.movements.some((one) => one.name === name);
  const state = { ...initialState('run'), goal: 'Plan acme/sample#1 for alice', interactive };
  const prompt = buildPrompt({ piece, bundle: bundle(), state, movement, isSub, place: 'acme/sample#1 at c0ffee' });
  const offered: number[] = [];
  const { output } = await drive(host, {
    movement: name,
    produces: movement.produces,
    rules: [],
    before: prompt.text,
    offered,
  });
  const match = matchAgent({ rules: movement.rules, interactive, output, judged: {} });
  return match.kind === 'matched' ? match.rule.next || match.rule.text : match.kind;
}

describe('the default piece', () => {
  test('loads without a finding', () => {
    expect(loadPiece(bundle()).diagnostics).toEqual([]);
  });

  test('has the movements of the flow, in its order', () => {
    expect(load().movements.map((one) => one.name)).toEqual([
      'research',
      'plan',
      'context_gate',
      'review',
      'write',
      'evaluate',
      'examine',
      'compute_score',
    ]);
  });

  test('a failed score never undoes a plan', () => {
    const late = load().movements.filter((one) => ['evaluate', 'examine', 'compute_score'].includes(one.name));

    expect(late.map((one) => one.onFailure)).toEqual(['COMPLETE', 'COMPLETE', 'COMPLETE']);
  });

  test('asks only in interactive runs', () => {
    const asking = agents(load()).flatMap((one) => one.rules.filter((rule) => rule.requiresUserInput));

    expect(asking).toHaveLength(2);
    expect(asking.every((rule) => rule.interactiveOnly)).toBe(true);
  });

  test('every agent is told the shape of each kind of data it may hand over', () => {
    const { files } = bundle();

    for (const agent of agents(load())) {
      for (const kind of agent.produces) expect(files[agent.agentFile ?? ''], agent.name).toContain(`json:${kind}`);
    }
  });

  test('the examples in the prompts are what the schemas take', () => {
    for (const [file, text] of Object.entries(bundle().files)) {
      for (const match of text.matchAll(/```json:(\w+)\n([\s\S]*?)\n```/g)) {
        const kind = match[1] ?? '';
        if (!isDataKind(kind)) throw new Error(`${file} names the kind ${kind}`);
        const result = DATA_SCHEMAS[kind].safeParse(JSON.parse(match[2] ?? ''));
        expect(result.success ? [] : result.error.issues, `${file} ${kind}`).toEqual([]);
      }
    }
  });
});

describe('the offline planner on the real prompts', () => {
  test('a clear item goes from research to the plan and on to the review', async () => {
    const host = new Host(CLEAR, LIBRARY);

    expect(await chosen(host, 'research')).toBe('plan');
    expect(await chosen(host, 'plan')).toBe('review');
  });

  test('an ambiguous one asks, and does not where nobody can answer', async () => {
    expect(await chosen(new Host(AMBIGUOUS, LIBRARY), 'research')).toBe('research');
    expect(await chosen(new Host(AMBIGUOUS, LIBRARY), 'research', false)).toBe('plan');
  });

  test('a thin one goes to the gate', async () => {
    expect(await chosen(new Host(THIN, LIBRARY), 'research')).toBe('context_gate');
  });

  test('reviewers and evaluators end with their own rule', async () => {
    const host = new Host(CLEAR, LIBRARY);
    await drive(host, RESEARCH);
    await planned(host);

    for (const name of ['coverage', 'feasibility']) expect(await chosen(host, name)).toMatch(/approved|_/);
    for (const name of [
      'rubric',
      'requirement_coverage',
      'falsifier',
      'examine_rubric',
      'examine_coverage',
      'examine_falsifier',
    ]) {
      expect(await chosen(host, name)).not.toMatch(/^(none|judge)$/);
    }
  });
});
