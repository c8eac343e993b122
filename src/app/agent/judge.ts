import { fenceUntrusted } from '../../domain/text/fence.ts';
import { PermanentFailure, TransientFailure } from '../../ports/failures.ts';
import type { ModelTag, ModelUsage } from '../../ports/model.ts';
import { TimeOver } from './abort.ts';
import { addUsage, type CallDeps, callModel, noUsage, withTimeLimit } from './call.ts';
import type { PieceLanguage } from './texts.ts';
import { tokensOfText } from './tokens.ts';

export interface JudgeInput extends CallDeps {
  tag: ModelTag;
  /** Provider's model id; empty: the provider's default. */
  modelId: string;
  /** `ai`: the first that holds; `fallback`: the one that fits best (spec 1: Which rule wins). */
  stage: 'ai' | 'fallback';
  /** The conditions asked for, under their own numbers. */
  conditions: { index: number; text: string }[];
  /** The output to be judged; data, never instructions. */
  output: string;
  language: PieceLanguage;
  /** Milliseconds. */
  timeoutMs?: number;
  signal: AbortSignal;
}

/** `index`: the number of the condition that holds, null for none; with `error` when the judge failed or answered nonsense. */
export interface JudgeOutcome {
  index: number | null;
  error?: string;
  usage: ModelUsage;
}

const defaultTimeoutMs = 120_000;
/** Characters of the output that a judge sees; its end says most about how the work went. */
const judgedLimit = 200_000;

/** Asks a judge, which has no tools. A failure is no match (spec 1). Rejects with the signal's reason when aborted, or with BudgetSpent. */
export async function askJudge(input: JudgeInput): Promise<JudgeOutcome> {
  let usage = noUsage();
  try {
    const limits = { timeoutMs: input.timeoutMs ?? defaultTimeoutMs, signal: input.signal, clock: input.clock };
    const prompt = question(input);
    const reply = await withTimeLimit(limits, (signal) =>
      callModel(
        {
          tag: input.tag,
          model: input.modelId,
          messages: [{ role: 'user', text: prompt }],
          tools: [],
          judge: { conditions: input.conditions },
          signal,
        },
        input,
        tokensOfText(prompt),
      ),
    );
    usage = addUsage(usage, reply.usage);
    return { ...readVerdict(reply.text, input.conditions), usage };
  } catch (error) {
    input.signal.throwIfAborted();
    if (error instanceof TimeOver) return { index: null, error: `timeout: ${error.message}`, usage };
    if (error instanceof PermanentFailure || error instanceof TransientFailure)
      return { index: null, error: `${error.code}: ${error.message}`, usage };
    throw error;
  }
}

function question(input: JudgeInput): string {
  const texts = judgeTexts[input.language];
  const conditions = input.conditions.map(({ index, text }) => `${index}: ${text.replace(/\s+/g, ' ')}`).join('\n');
  const tail = input.output.slice(-judgedLimit).toWellFormed();
  return [
    texts.task[input.stage],
    `${texts.conditions}\n${conditions}`,
    fenceUntrusted(texts.output, tail),
    texts.answer,
  ].join('\n\n');
}

/** The number alone, as a tag, or alone on the last line; anything else is nonsense. */
function readVerdict(text: string, conditions: JudgeInput['conditions']): { index: number | null; error?: string } {
  const last = text.trim().split('\n').at(-1)?.trim() ?? '';
  const found = /^(?:\[STEP:(\d{1,6})\]|[[("'`*]*(-?\d{1,6})[\])"'`*.]*)$/.exec(last);
  const index = found === null ? null : Number(found[1] ?? found[2]);
  if (index === -1) return { index: null };
  if (index !== null && conditions.some((condition) => condition.index === index)) return { index };
  const offered = conditions.map((condition) => condition.index).join(', ');
  return {
    index: null,
    error: `judge_unclear: expected one of ${offered} or -1, got ${JSON.stringify(text.slice(0, 200))}`,
  };
}

const judgeTexts = {
  en: {
    task: {
      ai: 'Decide which of these conditions the output below meets. If several do, take the first.',
      fallback: 'Decide which of these conditions fits the output below best.',
    },
    conditions: 'Conditions:',
    output: 'Output',
    answer: 'Answer with the number of the condition and nothing else; -1 if none holds.',
  },
  ja: {
    task: {
      ai: '下の出力がどの条件を満たすか判断してください。複数ある場合は最初のものを選びます。',
      fallback: '下の出力に最もよく当てはまる条件を判断してください。',
    },
    conditions: '条件:',
    output: '出力',
    answer: '条件の番号だけを答えてください。どれも当てはまらなければ -1。',
  },
} as const;
