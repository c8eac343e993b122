/** Anthropic's Messages API, streamed. */
import { event, type Protocol, pieces, usual } from './says.ts';

const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

function start(input: number, cached: number): string {
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage,
  };
  return named({ type: 'message_start', message });
}

export const anthropic: Protocol = {
  path: /^\/messages$/,
  answer({ text = '', calls = [], usage = usual, end = 'stop' }) {
    const out: string[] = [
      start((usage?.input ?? 0) - (usage?.cached ?? 0), usage?.cached ?? 0),
      named({ type: 'ping' }),
    ];
    let index = 0;
    if (text !== '') {
      out.push(named({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }));
      for (const piece of pieces(text))
        out.push(named({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } }));
      out.push(named({ type: 'content_block_stop', index }));
      index += 1;
    }
    for (const { id, name, json } of calls) {
      out.push(named({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } }));
      out.push(named({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } }));
      out.push(named({ type: 'content_block_stop', index }));
      index += 1;
    }
    const reason =
      end === 'cut_off' ? 'max_tokens' : end === 'refused' ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn';
    out.push(
      named({
        type: 'message_delta',
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: usage?.output ?? 0 },
      }),
      named({ type: 'message_stop' }),
    );
    return out;
  },
  errorEvent: () => [
    start(10, 0),
    named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ],
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message },
  }),
};
