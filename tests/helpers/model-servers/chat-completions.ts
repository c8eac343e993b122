/** OpenAI's Chat Completions, streamed, as Ollama, vLLM and gateways speak it. */
import { event, type Protocol, pieces, usual } from './says.ts';

const base = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'm' };

const delta = (part: object, finish: string | null = null): string =>
  event({ ...base, choices: [{ index: 0, delta: part, finish_reason: finish }] });

export const chatCompletions: Protocol = {
  path: /^\/chat\/completions$/,
  answer({ text = '', calls = [], usage = usual, end = 'stop' }) {
    const out = [delta({ role: 'assistant', content: '' })];
    for (const piece of pieces(text)) out.push(delta({ content: piece }));
    calls.forEach(({ id, name, json }, index) => {
      const half = Math.ceil(json.length / 2);
      out.push(
        delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: json.slice(0, half) } }] }),
        delta({ tool_calls: [{ index, function: { arguments: json.slice(half) } }] }),
      );
    });
    const reason =
      end === 'cut_off' ? 'length' : end === 'refused' ? 'content_filter' : calls.length > 0 ? 'tool_calls' : 'stop';
    out.push(delta({}, reason));
    if (usage !== null) {
      const { input, output, cached } = usage;
      out.push(
        event({
          ...base,
          choices: [],
          usage: {
            prompt_tokens: input,
            completion_tokens: output,
            total_tokens: input + output,
            prompt_tokens_details: { cached_tokens: cached },
          },
        }),
      );
    }
    out.push('data: [DONE]\n\n');
    return out;
  },
  errorEvent: () => [
    delta({ role: 'assistant', content: '' }),
    event({ error: { message: 'The server had an error', type: 'server_error', code: 500 } }),
  ],
  errorBody: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit' : 'error', code: null } }),
};
