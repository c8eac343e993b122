/**
 * The provider is stateless: each call replays the conversation since the prompt. Work is written as a generator that
 * yields the tool calls it needs; what is answered already is fed in, what is not becomes the reply's tool calls.
 */
import type { ModelMessage, ToolCall } from '../../../domain/run/messages.ts';

export interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** Yields batches of calls; receives for each call its parsed JSON, or null when the tool failed, is unknown or is not offered. */
export type Work<T> = Generator<Call[], T, unknown[]>;

/** Calls of one reply: a longer batch is spread over several replies, so that a loop with a cap on calls is not overrun. */
const CALLS_PER_REPLY = 24;

function keyOf(call: { name: string; input: unknown }): string {
  const input = call.input;
  if (typeof input !== 'object' || input === null) return call.name;
  const entries = Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${call.name} ${JSON.stringify(entries)}`;
}

/** The JSON object in a tool's output; a notice before or after it is passed over. Null when there is none. */
export function parseOutput(output: string): unknown {
  for (const text of [output, output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(text);
    } catch {
      // The next reading is tried; an output that is no JSON at all counts as no answer.
    }
  }
  return null;
}

/** Index of the message that holds the prompt: the last user message with a status section, else the first user message after the last reply. */
export function promptIndex(messages: ModelMessage[]): number {
  let fallback = 0;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (message?.role !== 'user') continue;
    if (/\[STEP:\d+\]\s*=/.test(message.text)) return i;
    if (fallback === 0) fallback = i;
  }
  return fallback;
}

/** Answers of the tool calls made since the prompt; earlier ones may be stale (the item may have been edited during a pause). */
function recorded(messages: ModelMessage[], from: number): Map<string, unknown> {
  const keys = new Map<string, string>();
  const answers = new Map<string, unknown>();
  for (const message of messages.slice(from + 1)) {
    if (message.role === 'assistant') for (const call of message.toolCalls) keys.set(call.id, keyOf(call));
    if (message.role !== 'tool') continue;
    for (const result of message.results) {
      const key = keys.get(result.id);
      if (key === undefined) continue;
      const answer = result.isError ? null : parseOutput(result.output);
      if (wasLeftOut(answer)) answers.delete(key);
      else answers.set(key, answer);
    }
  }
  return answers;
}

/** A result that was taken out of a long conversation, only its notice left: it is asked for again. */
function wasLeftOut(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object.keys(answer).join() === 'notice';
}

export type Replay<T> = { done: true; value: T } | { done: false; calls: ToolCall[] };

/**
 * Runs the work as far as the conversation answers it. A tool that is not among `offered` counts as failed. Call ids are
 * numbered over the whole conversation, so they stay unique in a session that goes on.
 */
export function replay<T>(work: Work<T>, messages: ModelMessage[], offered: ReadonlySet<string>): Replay<T> {
  const answers = recorded(messages, promptIndex(messages));
  let made = 0;
  for (const message of messages) if (message.role === 'assistant') made += message.toolCalls.length;
  let step = work.next([]);
  while (!step.done) {
    const missing = new Map<string, Call>();
    const results: unknown[] = [];
    for (const call of step.value) {
      const key = keyOf(call);
      if (answers.has(key)) results.push(answers.get(key));
      else if (!offered.has(call.name)) results.push(null);
      else missing.set(key, call);
    }
    if (missing.size > 0) {
      const calls = [...missing.values()].slice(0, CALLS_PER_REPLY);
      return { done: false, calls: calls.map((call, i) => ({ id: `offline-${made + i + 1}`, ...call })) };
    }
    step = work.next(results);
  }
  return { done: true, value: step.value };
}
