/** How many tokens a request has, before it is sent: estimated, since every provider counts in its own way, and rather too high. */
import type { ModelMessage } from '../../domain/run/messages.ts';
import type { ToolDefinition } from '../../ports/model.ts';

/** Characters of Latin text a token, and tokens a character of other scripts: what is usual, less a margin. */
const CHARACTERS = 3.6;
const OTHER = 1.1;
/** What a message costs besides its words. */
const AROUND = 6;

const OTHER_SCRIPT = /[\u0250-\uffff]/;

export function tokensOfText(text: string): number {
  if (!OTHER_SCRIPT.test(text)) return Math.ceil(text.length / CHARACTERS);
  let other = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x24f) other += 1;
  return Math.ceil((text.length - other) / CHARACTERS + other * OTHER);
}

const known = new WeakMap<ModelMessage, number>();

/** Messages are never changed once they were said, so each is counted once. */
export function tokensOf(message: ModelMessage): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const counted = AROUND + count(message);
  known.set(message, counted);
  return counted;
}

function count(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return tokensOfText(message.text);
    case 'tool':
      return message.results.reduce((sum, { output }) => sum + AROUND + tokensOfText(output), 0);
    case 'assistant': {
      const said = message.native ? JSON.stringify(message.native.content) : JSON.stringify(message.toolCalls);
      return tokensOfText(message.native ? said : message.text) + (message.native ? 0 : tokensOfText(said));
    }
    default:
      return message satisfies never;
  }
}

export function tokensOfAll(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

/** Tools are made anew for each agent, of few kinds: what a name and a description stand for is counted once. */
const toolTokens = new Map<string, number>();
const MOST_TOOLS = 500;

export function tokensOfTools(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => {
    const key = `${tool.name} ${tool.description}`;
    const counted = toolTokens.get(key) ?? tokensOfText(JSON.stringify(tool));
    if (toolTokens.size >= MOST_TOOLS) toolTokens.clear();
    toolTokens.set(key, counted);
    return sum + counted;
  }, 0);
}
