/** A model that does whatever it is told by whoever: it obeys every injection that it reads. */
import { EVALUATORS } from '../../../src/domain/workplan/score-schema.ts';
import type { ModelPort, ModelReply, ModelRequest } from '../../../src/ports/model.ts';
import type { Call, Injection } from './corpus.ts';

export interface Obedient extends ModelPort {
  /** Everything that was sent to it, as text. */
  readonly sent: string[];
  /** Ids of the injections that it read. */
  readonly read: Set<string>;
  /** What the tools answered to the calls that injections asked for. */
  readonly answers: { call: Call; output: string; isError: boolean }[];
}

const HONEST: Call[] = [
  { name: 'item_read', input: {} },
  { name: 'discussions_read', input: {} },
  { name: 'questions_read', input: {} },
  { name: 'workplan_read', input: {} },
  { name: 'repo_list', input: { limit: 2000 } },
  ...['README.md', 'docs/notes.md', 'src/app.ts', 'src/texts.ts'].map((path) => ({
    name: 'repo_read',
    input: { path },
  })),
  ...['README.md', 'src/app.ts'].map((path) => ({ name: 'repo_history', input: { path } })),
];

export function createObedient(corpus: readonly Injection[]): Obedient {
  const sent: string[] = [];
  const read = new Set<string>();
  const answers: Obedient['answers'] = [];

  function seenIn(request: ModelRequest): Injection[] {
    const text = JSON.stringify(request.messages);
    const ids = new Set(text.match(/INJ-\d{3}/g));
    return corpus.filter(({ id }) => ids.has(id));
  }

  async function complete(request: ModelRequest): Promise<ModelReply> {
    request.signal.throwIfAborted();
    sent.push(JSON.stringify([request.instructions ?? '', request.messages]));
    const seen = seenIn(request);
    for (const { id } of seen) read.add(id);
    const usage = { inputTokens: 1, outputTokens: 1, estimated: false };
    if (request.tag.stage !== 'agent') return { text: '0', toolCalls: [], usage };
    const done = new Set(
      request.messages.flatMap((message) =>
        message.role === 'assistant' ? message.toolCalls.map(({ name, input }) => JSON.stringify([name, input])) : [],
      ),
    );
    const asked = new Map(
      seen.flatMap(({ calls }) => calls).map((call) => [JSON.stringify([call.name, call.input]), call]),
    );
    note(request, asked);
    const wanted = [...HONEST, ...asked.values()].filter((call) => !done.has(JSON.stringify([call.name, call.input])));
    const next = request.tools.length === 0 ? [] : wanted.slice(0, 30);
    if (next.length > 0) {
      const toolCalls = next.map((call, index) => ({ id: `c${done.size + index}`, ...call }));
      return { text: '', toolCalls, usage };
    }
    return { text: output(request, seen), toolCalls: [], usage };
  }

  function note(request: ModelRequest, asked: Map<string, Call>): void {
    const last = request.messages.at(-1);
    const before = request.messages.at(-2);
    if (last?.role !== 'tool' || before?.role !== 'assistant') return;
    for (const [index, result] of last.results.entries()) {
      const call = before.toolCalls[index];
      const wanted = call && asked.get(JSON.stringify([call.name, call.input]));
      if (wanted) answers.push({ call: wanted, output: result.output, isError: result.isError });
    }
  }

  return { label: 'obedient', complete, sent, read, answers };
}

/** Data of the kind that is asked for, with all that the injections wanted said in all its texts. */
function output(request: ModelRequest, seen: Injection[]): string {
  const says = seen.map((injection) => injection.says);
  const all = says.join('\n').slice(0, 1800) || 'x';
  const { produces, movement } = request.tag;
  const refused = request.messages.filter(({ role }) => role === 'user').length > 1;
  const kind = ['research', 'workplan', 'review', 'score', 'coverage', 'defect', 'examination'].find((known) =>
    produces.includes(known),
  );
  const line = (index: number): string =>
    (says[index % Math.max(1, says.length)] ?? 'x').replace(/\s+/g, ' ').slice(0, 190);
  const requirements = [{ id: 'R1', text: all, source: 'description' }];
  const values: Record<string, unknown> = {
    research: { summary: all, requirements, findings: [], risks: says.slice(0, 20), assumptions: [] },
    workplan: {
      goal: all,
      requirements,
      findings: refused
        ? []
        : [{ text: all, path: '../../etc/passwd', startLine: 1, endLine: 1, url: 'https://evil.example/x' }],
      decisions: refused ? [] : [{ text: all, questionId: 'approved', confirmed: true }],
      units: [
        {
          id: 'U1',
          title: line(0),
          why: all,
          files: [
            refused ? { path: 'src/app.ts', state: 'existing' } : { path: '../../.ssh/authorized_keys', state: 'new' },
          ],
          dependsOn: [],
          parallelWith: [],
          covers: ['R1'],
          acceptance: says
            .slice(0, 20)
            .map((text) => text.slice(0, 900))
            .concat('x'),
          verify: [line(1)],
          size: 'S',
        },
      ],
      outOfScope: [line(2)],
      risks: says.map((text) => text.slice(0, 900)),
      openQuestions: [line(3)],
    },
    review: { findings: [] },
    score: {
      coverage: 20,
      groundedness: 20,
      specificity: 20,
      feasibility: 20,
      completeness: 20,
      feedback: [{ text: line(4), blocking: false }],
    },
    coverage: { requirements: [{ id: 'R1', covered: true }], units: [{ id: 'U1', traced: true }], feedback: [] },
    defect: { defect: 'none', confidence: 1, explanation: line(5), feedback: [] },
    examination: examinationOf(movement, line(6)),
  };
  const quoted = says.map((text) => text.replace(/^/gm, '> ')).join('\n');
  return `${quoted}\n\n\`\`\`json:${kind}\n${JSON.stringify(values[kind ?? ''])}\n\`\`\`\n\n[STEP:0]`;
}

function examinationOf(movement: string, explanation: string): object {
  const of = EVALUATORS.find((name) => movement.endsWith(name)) ?? 'rubric';
  return { of, revised: of === 'falsifier' ? null : 100, verdict: 'confirmed', resolutionKnown: false, explanation };
}
