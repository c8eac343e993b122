import { PermanentFailure } from '../../ports/failures.ts';
import type { ModelPort, ModelReply, ModelRequest, ModelTag } from '../../ports/model.ts';
import { type AgentEntry, type InputEntry, type JudgeEntry, parseScript, type ScriptEntry } from './script-format.ts';

/** A model that answers from a script; it keeps no place of its own: that comes with each request, counted from the run's events. */
export interface ScriptedModel extends ModelPort {
  /** What people say at pauses, in order (a local run of a piece). */
  readonly inputs: readonly InputEntry[];
  /** The last call that found no entry, null while there was none; judges' failures do not end a run by themselves. */
  exhausted(): string | null;
}

/**
 * The scripted provider (design: `--script`, MODEL_SCRIPT). A call beyond the script fails with `script_exhausted`, an `error` entry
 * with `scripted_error`; both for good.
 * @throws ScriptError with every problem of the text and its line.
 */
export function createScriptedModel(text: string, file: string): ScriptedModel {
  const script = sortEntries(parseScript(text, file));
  let exhausted: string | null = null;

  function reply(request: ModelRequest): ModelReply {
    request.signal.throwIfAborted();
    const { tag } = request;
    const entry = tag.stage === 'judge' ? judgeEntry(script, tag) : agentEntry(script, tag);
    if (entry === null) {
      const who = tag.stage === 'judge' ? `the judge of ${tag.movement}` : tag.movement;
      exhausted = `${file} has no further entry for ${who}; add one.`;
      throw new PermanentFailure('script_exhausted', exhausted);
    }
    return entry.kind === 'judge' ? judgeReply(entry, request) : agentReply(entry, request);
  }

  return {
    label: 'scripted',
    inputs: script.inputs,
    exhausted: () => exhausted,
    complete: async (request) => reply(request),
  };
}

interface Script {
  byMovement: Map<string, AgentEntry[]>;
  others: AgentEntry[];
  judges: JudgeEntry[];
  /** What a loop monitor's judge says, turn by turn: an output, or its rule at once. */
  loopTurns: LoopTurn[];
  inputs: InputEntry[];
}

/** `verdict`: a judge's answer where the output names no rule itself. */
interface LoopTurn {
  entry: AgentEntry | JudgeEntry;
  verdict: JudgeEntry | null;
}

const loopJudge = 'loop_judge';

function sortEntries(entries: ScriptEntry[]): Script {
  const script: Script = { byMovement: new Map(), others: [], judges: [], loopTurns: [], inputs: [] };
  for (const entry of entries) {
    if (entry.kind === 'input') script.inputs.push(entry);
    else if (entry.kind === 'judge' && entry.judge !== loopJudge) script.judges.push(entry);
    else if (entry.kind === 'judge' || entry.movement === loopJudge) addLoopTurn(script.loopTurns, entry);
    else if (entry.movement === null) script.others.push(entry);
    else script.byMovement.set(entry.movement, [...(script.byMovement.get(entry.movement) ?? []), entry]);
  }
  return script;
}

function addLoopTurn(turns: LoopTurn[], entry: AgentEntry | JudgeEntry): void {
  const last = turns.at(-1);
  const open = last?.entry.kind === 'agent' && last.verdict === null && !/\[STEP:\d+\]/.test(outputOf(last.entry));
  if (entry.kind === 'judge' && last && open) last.verdict = entry;
  else turns.push({ entry, verdict: null });
}

function outputOf(entry: AgentEntry): string {
  return 'output' in entry.answer ? entry.answer.output : '';
}

/** The movement's own entries first, then those that name none, in order over all movements. */
function agentEntry(script: Script, tag: ModelTag): AgentEntry | JudgeEntry | null {
  const { position } = tag;
  const own = ownEntries(script, tag.movement);
  if (position.movement < own) {
    const turn = tag.movement === loopJudge ? script.loopTurns[position.movement] : undefined;
    return turn?.entry ?? script.byMovement.get(tag.movement)?.[position.movement] ?? null;
  }
  const counts = position.byMovement ?? { [tag.movement]: position.run };
  const used = Object.entries(counts).reduce(
    (sum, [name, count]) => sum + Math.max(0, count - ownEntries(script, name)),
    0,
  );
  return script.others[used] ?? null;
}

function ownEntries(script: Script, movement: string): number {
  return movement === loopJudge ? script.loopTurns.length : (script.byMovement.get(movement)?.length ?? 0);
}

function judgeEntry(script: Script, tag: ModelTag): JudgeEntry | null {
  const { movement, position } = tag;
  if (movement === loopJudge) {
    // Its output was given already; both judge stages of that turn hear the same answer.
    const turn = script.loopTurns[position.movement - 1];
    return turn?.entry.kind === 'judge' ? turn.entry : (turn?.verdict ?? null);
  }
  const own = script.judges.filter((entry) => entry.judge === movement);
  if (position.byJudge) return own[position.byJudge[movement] ?? 0] ?? null;
  // Without counts by name the entries are taken to stand in the order of the calls.
  return script.judges.slice(position.judge).find((entry) => entry.judge === movement) ?? null;
}

function agentReply(entry: AgentEntry, request: ModelRequest): ModelReply {
  const asksTools = entry.tools.length > 0 && request.tools.length > 0 && request.messages.at(-1)?.role === 'user';
  if (asksTools) {
    const toolCalls = entry.tools.map((call, index) => ({ id: `script-${entry.index}-${index}`, ...call }));
    return { text: '', toolCalls, usage: usageOf(request, JSON.stringify(toolCalls)) };
  }
  if ('error' in entry.answer) throw new PermanentFailure('scripted_error', entry.answer.error);
  return { text: entry.answer.output, toolCalls: [], usage: usageOf(request, entry.answer.output) };
}

/** A judge's number; for a loop monitor's judge the tag of its rule, which is what its output is read for. */
function judgeReply(entry: JudgeEntry, request: ModelRequest): ModelReply {
  if ('error' in entry.answer) throw new PermanentFailure('scripted_error', entry.answer.error);
  const { rule } = entry.answer;
  const output = rule < 0 ? 'No rule holds.' : `[STEP:${rule}]`;
  const text = request.tag.stage === 'judge' ? String(rule) : output;
  return { text, toolCalls: [], usage: usageOf(request, text) };
}

/** Nothing was paid for; about four characters a token, so that budgets can be tried out. */
function usageOf(request: ModelRequest, answer: string): ModelReply['usage'] {
  const asked = request.messages.reduce((sum, message) => sum + lengthOf(message), request.instructions?.length ?? 0);
  return { inputTokens: Math.ceil(asked / 4), outputTokens: Math.ceil(answer.length / 4), estimated: true };
}

function lengthOf(message: ModelRequest['messages'][number]): number {
  return message.role === 'tool'
    ? message.results.reduce((sum, result) => sum + result.output.length, 0)
    : message.text.length;
}
