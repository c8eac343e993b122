/** Google's generateContent, streamed as server-sent events. */
import { event, type Protocol, pieces, usual } from './says.ts';

function chunk(parts: object[], finishReason?: string, usageMetadata?: object): string {
  const finish = finishReason === undefined ? {} : { finishReason };
  const usage = usageMetadata === undefined ? {} : { usageMetadata };
  return event({ candidates: [{ index: 0, content: { role: 'model', parts }, ...finish }], ...usage });
}

/** The protocol sends inputs as objects; what is no JSON can only come as something else than an object. */
function argsOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

export const google: Protocol = {
  path: /^\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
  answer({ text = '', calls = [], usage = usual, end = 'stop' }) {
    const out = pieces(text).map((piece) => chunk([{ text: piece }]));
    for (const { id, name, json } of calls) out.push(chunk([{ functionCall: { id, name, args: argsOf(json) } }]));
    const reason = end === 'cut_off' ? 'MAX_TOKENS' : end === 'refused' ? 'SAFETY' : 'STOP';
    const told =
      usage === null
        ? undefined
        : {
            promptTokenCount: usage.input,
            candidatesTokenCount: usage.output,
            totalTokenCount: usage.input + usage.output,
            ...(usage.cached > 0 ? { cachedContentTokenCount: usage.cached } : {}),
          };
    out.push(chunk([], reason, told));
    return out;
  },
  errorEvent: () => [
    chunk([{ text: 'I' }]),
    event({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  ],
  errorBody: (status, message) => ({ error: { code: status, message, status: 'ERROR' } }),
};
