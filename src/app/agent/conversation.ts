/** One agent's conversation: what is stored of it, what is new, and how it stays within the model's context. */
import type { ModelMessage } from '../../domain/run/messages.ts';
import { PermanentFailure } from '../../ports/failures.ts';
import type { ModelReply } from '../../ports/model.ts';
import { boundsOf, compact } from './compact.ts';
import { tokensOfAll, tokensOfText, tokensOfTools } from './tokens.ts';
import type { Tool } from './tool.ts';

/** In tokens, estimated; `history` stands for the earlier conversation from here on. */
export interface Compaction {
  before: number;
  after: number;
  history: ModelMessage[];
}

export interface ConversationInput {
  instructions: string | null;
  /** The earlier conversation, as stored. */
  history: ModelMessage[];
  tools: readonly Tool[];
  /** Of the model; null: not known. */
  contextTokens: number | null;
}

export interface Conversation {
  /** The new messages, as they are sent. */
  readonly messages: ModelMessage[];
  /** Whether it was shortened, and what stands for the earlier conversation since. */
  readonly compacted: Compaction | null;
  add(message: ModelMessage): void;
  /**
   * Sends it, shortened before when it comes near the limit, and once more when the model finds it too long all the same.
   * @throws PermanentFailure `conversation_too_large`, and what `call` throws
   */
  ask(call: (messages: ModelMessage[], tokens: number) => Promise<ModelReply>): Promise<ModelReply>;
}

export function createConversation(input: ConversationInput, begun: readonly ModelMessage[]): Conversation {
  let { history } = input;
  let messages = [...begun];
  let compacted: Compaction | null = null;
  const fixed = tokensOfText(input.instructions ?? '') + tokensOfTools(input.tools.map((tool) => tool.definition));
  const { shortenAt, shortenTo, most } = boundsOf(input.contextTokens, fixed);
  /** Real tokens for an estimated one, as the model has counted so far: estimates differ by language and model. */
  let scale = 1;
  const size = (): number => Math.ceil((tokensOfAll(history) + tokensOfAll(messages)) * scale);

  function shorten(to: number, must: number): boolean {
    const before = size();
    const short = compact([...history, ...messages], {
      to: Math.floor(to / scale),
      must: Math.floor(must / scale),
      from: history.length,
    });
    const changed = short.slice(0, history.length).some((message, index) => message !== history[index]);
    if (changed) history = short.slice(0, history.length);
    messages = short.slice(history.length);
    const after = size();
    if (after < before) compacted = { before: compacted?.before ?? before, after, history };
    return after < before;
  }

  function learn({ usage }: ModelReply, sent: number): void {
    if (usage.estimated || sent <= 0) return;
    scale = Math.max(scale, Math.min(4, usage.inputTokens / sent));
  }

  return {
    get messages() {
      return messages;
    },
    get compacted() {
      return compacted;
    },
    add: (message) => void messages.push(message),
    async ask(call) {
      if (size() > shortenAt) shorten(shortenTo, shortenAt);
      if (most !== null && size() > most) throw tooLarge();
      for (let again = true; ; again = false) {
        const sent = fixed + tokensOfAll(history) + tokensOfAll(messages);
        try {
          const reply = await call([...history, ...messages], Math.ceil(sent * scale));
          learn(reply, sent);
          return reply;
        } catch (error) {
          const tooLong = error instanceof PermanentFailure && error.code === 'conversation_too_large';
          if (!again || !tooLong || !shorten(...half(size()))) throw error;
        }
      }
    },
  };
}

/** It is too long however it was counted: half of it, and whatever has to go for that. */
function half(size: number): [number, number] {
  return [Math.floor(size / 2), Math.floor(size / 2)];
}

function tooLarge(): PermanentFailure {
  return new PermanentFailure(
    'conversation_too_large',
    'The conversation is too long for the model, even without its older parts.',
  );
}
