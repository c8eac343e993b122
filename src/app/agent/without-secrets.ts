/** The edge to a model: no secret goes out in a prompt, a tool result or a conversation, and none is kept of what comes back. */
import type { ModelMessage } from '../../domain/run/messages.ts';
import { redactDeep, redactSecrets } from '../../domain/text/secrets.ts';
import type { ModelReply, ModelRequest } from '../../ports/model.ts';

/** A conversation is sent again with every step: what was looked at once is not looked at again. */
const seen = new WeakMap<ModelMessage, ModelMessage>();

/** The request as it is sent. The same messages give the same text, so what a provider cached stays cached. */
export function requestWithoutSecrets(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message) => {
    const known = seen.get(message) ?? messageWithoutSecrets(message);
    seen.set(message, known);
    return known;
  });
  const { instructions } = request;
  return {
    ...request,
    messages,
    ...(instructions === undefined ? {} : { instructions: redactSecrets(instructions) }),
  };
}

/** The reply as it is read and kept. `native` goes back to the provider it came from alone, and stays. */
export function replyWithoutSecrets(reply: ModelReply): ModelReply {
  const toolCalls = reply.toolCalls.map((call) => ({ ...call, input: redactDeep(call.input) }));
  return { ...reply, text: redactSecrets(reply.text), toolCalls };
}

function messageWithoutSecrets(message: ModelMessage): ModelMessage {
  if (message.role === 'tool') {
    const results = message.results.map((result) => ({ ...result, output: redactSecrets(result.output) }));
    return { ...message, results };
  }
  return { ...message, text: redactSecrets(message.text) };
}
