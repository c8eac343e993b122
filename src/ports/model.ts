/** The model port (design: The model port): one request, one reply. The agent loop lives in `src/app`, one for all providers. */
import type { ModelMessage, NativeContent, ToolCall } from '../domain/run/messages.ts';

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema (draft 2020-12) of the tool's input object. */
  inputSchema: Record<string, unknown>;
}

/** By what the providers without a model (`scripted`, `offline`) choose; real providers ignore it. */
export interface ModelTag {
  runId: string;
  /** The movement or sub-movement; `loop_judge` for a loop monitor's judge. */
  movement: string;
  stage: 'agent' | 'judge' | 'loop';
  /** The agent's name (its file's base name), `judge` for judges. */
  role: string;
  produces: string[];
  /**
   * How many answers of this run were given before this call: a script's position (design: MODEL_SCRIPT). `movement` counts those of this
   * movement, `run` of all agents, `judge` of all judges; the maps count by name. `scriptPosition` of `src/app/agent` makes it.
   */
  position: {
    movement: number;
    run: number;
    judge: number;
    byMovement?: Record<string, number>;
    byJudge?: Record<string, number>;
  };
}

export interface ModelRequest {
  tag: ModelTag;
  /** `PROVIDER:MODEL`, or a model of the default provider; empty: its default. */
  model: string;
  /** The agent file's text, sent once a conversation. */
  instructions?: string;
  messages: ModelMessage[];
  tools: ToolDefinition[];
  /** Tools that the conversation has used and that may not be called any more: `tools` is empty then. Absent: none. */
  spentTools?: ToolDefinition[];
  /** A judge's conditions under their own numbers; answers come back as text: the number, or -1. */
  judge?: { conditions: { index: number; text: string }[] };
  signal: AbortSignal;
}

/** Tokens; `estimated` when the provider gave none (never counted as 0). */
export interface ModelUsage {
  /** All of the input, what was read from and written to the provider's cache included. */
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  /** Of the input: read from the cache; absent: not told. */
  cachedTokens?: number;
  /** Of the input: written to the cache; absent: not told. */
  cacheWriteTokens?: number;
}

export interface ModelReply {
  text: string;
  toolCalls: ToolCall[];
  usage: ModelUsage;
  /** Who answered, `PROVIDER:MODEL`, where another model than the one asked for did; absent: that one. */
  model?: string;
  /** True when the answer was cut off at the length limit: what there is of it is not the whole. */
  cutOff?: boolean;
  /** The answer as its provider wants it back (signed thoughts and the like); sent to that provider alone. */
  native?: NativeContent;
}

/** Prices per million tokens in the operator's currency. Tokens without a price of their own cost as `input` does. */
export interface ModelPrice {
  input: number;
  output: number;
  cached?: number;
  cacheWrite?: number;
}

export interface ModelFacts {
  /** Tokens of a request and its answer together; null: no limit is known. */
  contextTokens: number | null;
  /** Null: not known, which is never free of charge. */
  price: ModelPrice | null;
}

export interface ModelPort {
  /** Shown wherever its work is shown, e.g. `offline (rule-based)`. */
  readonly label: string;
  /**
   * One call. Throws `TransientFailure` (worth repeating, with `retryAfterMs`) or `PermanentFailure`; rejects with the signal's
   * reason once aborted. May be called twice for one effect after a crash (D7).
   */
  complete(request: ModelRequest): Promise<ModelReply>;
  /** What is known of a model by its name in a request; absent: it has no context limit and costs nothing. */
  about?(model: string): ModelFacts;
}
