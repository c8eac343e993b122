/** OpenAI's Responses API, streamed. */
import { event, type Protocol, pieces, usual } from './says.ts';

const named = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' };

export const openaiResponses: Protocol = {
  path: /^\/responses$/,
  answer({ text = '', calls = [], usage = usual, end = 'stop' }) {
    const out = [named({ type: 'response.created', response: { ...response, status: 'in_progress' } })];
    let index = 0;
    const refused = end === 'refused';
    if (text !== '' || refused) {
      const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
      out.push(named({ type: 'response.output_item.added', output_index: index, item }));
      for (const piece of pieces(text))
        out.push(
          named({
            type: 'response.output_text.delta',
            item_id: 'msg_1',
            output_index: index,
            content_index: 0,
            delta: piece,
          }),
        );
      if (refused)
        out.push(
          named({
            type: 'response.refusal.delta',
            item_id: 'msg_1',
            output_index: index,
            content_index: 0,
            delta: 'No.',
          }),
        );
      const content = refused
        ? [{ type: 'refusal', refusal: 'No.' }]
        : [{ type: 'output_text', text, annotations: [] }];
      out.push(named({ type: 'response.output_item.done', output_index: index, item: { ...item, content } }));
      index += 1;
    }
    for (const { id, name, json } of calls) {
      const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '', status: 'in_progress' };
      out.push(
        named({ type: 'response.output_item.added', output_index: index, item }),
        named({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index: index, delta: json }),
        named({
          type: 'response.output_item.done',
          output_index: index,
          item: { ...item, arguments: json, status: 'completed' },
        }),
      );
      index += 1;
    }
    const told =
      usage === null
        ? null
        : {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          };
    const done = { ...response, ...(told === null ? {} : { usage: told }) };
    out.push(
      end === 'cut_off'
        ? named({
            type: 'response.incomplete',
            response: { ...done, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
          })
        : named({ type: 'response.completed', response: { ...done, status: 'completed' } }),
    );
    return out;
  },
  errorEvent: () => [
    named({ type: 'response.created', response: { ...response, status: 'in_progress' } }),
    named({
      type: 'response.failed',
      sequence_number: 2,
      response: { ...response, status: 'failed', error: { code: 'server_error', message: 'The server had an error' } },
    }),
  ],
  errorBody: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit' : 'error', code: null } }),
};
