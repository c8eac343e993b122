/** The agent loop, one for all providers (design: The model port): steps, tools side by side, caps, data retries, time limit. */
import { extractData } from '../../domain/piece/data.ts';
import { extractInputs, type Inputs } from '../../domain/piece/inputs.ts';
import type { InputSchema } from '../../domain/piece/types.ts';
import type { BudgetReached } from '../../domain/run/budget.ts';
import type { ModelMessage, ToolCall, ToolResult } from '../../domain/run/messages.ts';
import type { DataKind, Produced } from '../../domain/workplan/data-kinds.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { ModelReply, ModelTag, ModelUsage } from '../../ports/model.ts';
import { BudgetSpent } from '../budget/keeper.ts';
import { isStall } from '../stall.ts';
import { orAborted, TimeOver } from './abort.ts';
import { addUsage, type CallDeps, callModel, noUsage, withTimeLimit } from './call.ts';
import { type Compaction, type Conversation, createConversation } from './conversation.ts';
import { positionAfter } from './position.ts';
import { type LoopTexts, loopTexts, type PieceLanguage } from './texts.ts';
import { resultLimit, type Tool, toolError } from './tool.ts';

export interface AgentLimits {
  /** Model calls that may use tools; one without tools follows at most. */
  maxSteps: number;
  /** How often wrong data goes back to the agent (spec 1: `produces`). */
  maxDataRetries: number;
  /** Wall time of the whole, milliseconds. */
  timeoutMs: number;
  /** Tokens of input and output of the whole (spec 1: `budget`); absent: no limit. No model call begins above it. */
  maxTokens?: number;
  /** Tokens that the model can take and give together; absent or null: not known. The conversation is shortened before. */
  contextTokens?: number | null;
}

export interface AgentInput extends CallDeps {
  tag: ModelTag;
  /** Provider's model id; empty: the provider's default. */
  modelId: string;
  /** The agent file's text. */
  instructions: string | null;
  /** The conversation so far, as stored. */
  history: ModelMessage[];
  prompt: string;
  /** What was said before the agent was interrupted, its prompt first: it goes on from there. Absent: it begins. */
  resumed?: { messages: ModelMessage[]; answers: number; steps: number };
  tools: Tool[];
  /** Kinds of data one of which the output must hold; empty: none. */
  produces: DataKind[];
  /** Values that the output hands over (spec 1: `inputSchema`); absent: none. */
  inputs?: InputSchema;
  /** Checks beyond the kind's schema; the sentences it gives go back to the agent. */
  checkData?(produced: Produced): string[];
  limits: AgentLimits;
  language?: PieceLanguage;
  signal: AbortSignal;
}

/**
 * `messages` are the new ones, as sent and received. Codes of failures: `timeout`, `data_invalid`, `steps_exceeded`, `budget_exceeded`,
 * `conversation_too_large`, or the model failure's own. `answers`: outputs given, those that went back and the one that failed included.
 * `spent`: no call may begin for want of budget; the agent can be resumed. `compacted`: the conversation was shortened; `history` is then
 * what stands for the earlier one.
 */
export type AgentOutcome =
  | {
      ok: true;
      output: string;
      produced: Produced | null;
      /** Present when the movement has an `inputSchema`. */
      inputs?: Inputs;
      messages: ModelMessage[];
      answers: number;
      usage: ModelUsage;
      compacted?: Compaction;
    }
  | {
      ok: false;
      spent: BudgetReached;
      messages: ModelMessage[];
      answers: number;
      steps: number;
      usage: ModelUsage;
      compacted?: Compaction;
    }
  | { ok: false; spent?: never; code: string; message: string; answers: number; usage: ModelUsage };

const callsAtOnce = 32;

/** Runs an agent to its output. Rejects with the signal's reason at once when aborted; failures for good are values. */
export async function runAgent(input: AgentInput): Promise<AgentOutcome> {
  const begun = input.resumed ?? { messages: [{ role: 'user', text: input.prompt }], steps: 0, answers: 0 };
  const conversation = createConversation(
    { ...input, contextTokens: input.limits.contextTokens ?? null },
    begun.messages,
  );
  const run: Progress = { conversation, steps: begun.steps, answers: begun.answers, usage: noUsage() };
  try {
    const { timeoutMs } = input.limits;
    const done = await withTimeLimit({ timeoutMs, signal: input.signal, clock: input.clock }, (signal) =>
      toOutput(input, run, signal),
    );
    const { messages, compacted } = run.conversation;
    return { ok: true, ...done, messages, answers: run.answers, usage: run.usage, ...(compacted ? { compacted } : {}) };
  } catch (error) {
    input.signal.throwIfAborted();
    if (error instanceof BudgetSpent) return interrupted(run, error);
    if (isStall(error)) throw error;
    if (error instanceof TimeOver) return failed(run, 'timeout', error.message);
    if (error instanceof PermanentFailure || error instanceof TransientFailure)
      return failed(run, error.code, error.message);
    throw error;
  }
}

interface Progress {
  conversation: Conversation;
  steps: number;
  answers: number;
  usage: ModelUsage;
}

function failed(run: Progress, code: string, message: string): AgentOutcome {
  // The call that failed counts too: a script's next entry is the one after it. Refused data was counted when it was given.
  const answers = code === 'data_invalid' ? run.answers : run.answers + 1;
  return { ok: false, code, message, answers, usage: run.usage };
}

function interrupted({ conversation, answers, steps, usage }: Progress, { reached }: BudgetSpent): AgentOutcome {
  const { messages, compacted } = conversation;
  return { ok: false, spent: reached, messages, answers, steps, usage, ...(compacted ? { compacted } : {}) };
}

async function toOutput(
  input: AgentInput,
  run: Progress,
  signal: AbortSignal,
): Promise<{ output: string; produced: Produced | null; inputs?: Inputs }> {
  const texts = loopTexts[input.language ?? 'en'];
  for (let refused = 0; ; ) {
    const open = unanswered(run.conversation.messages);
    const reply = open ?? (await step(input, run, signal));
    if (reply.toolCalls.length > 0) {
      const results = await useTools(input, reply.toolCalls, signal);
      run.conversation.add({ role: 'tool', results });
      if (run.steps >= input.limits.maxSteps) run.conversation.add({ role: 'user', text: texts.lastStep });
      continue;
    }
    run.answers += 1;
    const result = readOutput(input, reply, texts);
    if (result.ok) {
      const { inputs, produced } = result;
      return { output: reply.text, produced, ...(inputs === undefined ? {} : { inputs }) };
    }
    if (refused >= input.limits.maxDataRetries) throw new PermanentFailure('data_invalid', result.problems.join(' '));
    refused += 1;
    const left = input.limits.maxDataRetries - refused;
    run.conversation.add({ role: 'user', text: texts.dataProblems(result.problems, left) });
  }
}

/** Tool calls at the end of what an interrupted agent had said; null: there are none. */
function unanswered(messages: readonly ModelMessage[]): { text: string; toolCalls: ToolCall[] } | null {
  const last = messages.at(-1);
  return last?.role === 'assistant' && last.toolCalls.length > 0 ? last : null;
}

/** One model call and its message. Without tools when the steps are used up: then nothing of a tool call is kept. */
async function step(input: AgentInput, run: Progress, signal: AbortSignal): Promise<ModelReply> {
  const { maxTokens } = input.limits;
  if (maxTokens !== undefined && run.usage.inputTokens + run.usage.outputTokens >= maxTokens)
    throw new PermanentFailure('budget_exceeded', `The movement used up its budget of ${maxTokens} tokens.`);
  const tools = run.steps < input.limits.maxSteps ? input.tools : [];
  const { movement } = input.tag;
  const reply = await run.conversation.ask((messages, tokens) =>
    callModel(
      {
        tag: { ...input.tag, position: positionAfter(input.tag.position, movement, run.answers) },
        model: input.modelId,
        ...(input.instructions === null ? {} : { instructions: input.instructions }),
        messages,
        tools: tools.map((tool) => tool.definition),
        ...(tools.length > 0 ? {} : { spentTools: input.tools.map((tool) => tool.definition) }),
        signal,
      },
      input,
      tokens,
    ),
  );
  run.steps += 1;
  run.usage = addUsage(run.usage, reply.usage);
  const toolCalls = tools.length > 0 ? reply.toolCalls : [];
  if (toolCalls.length < reply.toolCalls.length && reply.text.trim() === '')
    throw new PermanentFailure('steps_exceeded', `No output within ${input.limits.maxSteps} steps.`);
  const native = reply.native && toolCalls.length === reply.toolCalls.length ? { native: reply.native } : {};
  run.conversation.add({ role: 'assistant', text: reply.text, toolCalls, ...native });
  return { ...reply, toolCalls };
}

type ReadOutput =
  | { ok: true; produced: Produced | null; inputs?: Inputs | undefined }
  | { ok: false; problems: string[] };

/** What the output holds besides its text; everything that is wrong with it goes back at once. */
function readOutput(
  input: AgentInput,
  { text: output, cutOff }: Pick<ModelReply, 'text' | 'cutOff'>,
  texts: LoopTexts,
): ReadOutput {
  if (cutOff) return { ok: false, problems: [texts.cutOff] };
  if (output.trim() === '') return { ok: false, problems: [texts.empty] };
  const data = input.produces.length === 0 ? null : extractData(output, input.produces);
  const handed = input.inputs === undefined ? null : extractInputs(output, input.inputs);
  const problems = [
    ...(data === null ? [] : data.ok ? (input.checkData?.(data.produced) ?? []) : data.problems),
    ...(handed === null || handed.ok ? [] : handed.problems),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, produced: data?.ok ? data.produced : null, inputs: handed?.ok ? handed.inputs : undefined };
}

/** All calls of a step side by side, each answered under its id in their order. */
async function useTools(input: AgentInput, calls: ToolCall[], signal: AbortSignal): Promise<ToolResult[]> {
  const results = calls.map(async (call, index): Promise<ToolResult> => {
    const tool = input.tools.find((candidate) => candidate.definition.name === call.name);
    const outcome =
      index >= callsAtOnce
        ? toolError('too_many_calls', `At most ${callsAtOnce} calls in one step; call again for the rest.`)
        : tool === undefined
          ? toolError('unknown_tool', `There is no tool ${call.name}. Tools: ${toolNames(input.tools)}.`)
          : await tool.run(call.input, signal);
    return { id: call.id, name: call.name, output: cap(outcome.output), isError: outcome.isError };
  });
  return orAborted(Promise.all(results), signal);
}

function toolNames(tools: Tool[]): string {
  return tools.length === 0 ? 'none' : tools.map((tool) => tool.definition.name).join(', ');
}

/** Tools keep to the limit by themselves; this is for one that does not. */
function cap(output: string): string {
  if (output.length <= resultLimit) return output;
  const head = output.slice(0, resultLimit).toWellFormed();
  return `${head}\n[cut: ${resultLimit} of ${output.length} characters shown; narrow the call down to see the rest]`;
}
