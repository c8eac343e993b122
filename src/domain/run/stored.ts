/**
 * How an event is stored: what an agent said last is most of it and stands in it twice, as its output and as a message; it is stored once
 * (D12: the bytes of an append are most of what it costs).
 */
import type { RunEventBody } from './events.ts';

/** The event as it is to be written as JSON. */
export function toStored(event: RunEventBody): unknown {
  if (event.type !== 'agent_finished') return event;
  const { output, messages } = event;
  if (!messages.some((message) => message.role === 'assistant' && message.text === output)) return event;
  return {
    ...event,
    messages: messages.map((message) => {
      if (message.role !== 'assistant' || message.text !== output) return message;
      const { text: _, ...rest } = message;
      return rest;
    }),
  };
}

/** What `toStored` made of an event, whole again; anything else comes back as it is. */
export function fromStored(stored: unknown): unknown {
  if (!isObject(stored) || stored['type'] !== 'agent_finished' || !Array.isArray(stored['messages'])) return stored;
  const { output, messages } = stored;
  const whole = messages.map((message: unknown) =>
    isObject(message) && message['role'] === 'assistant' && message['text'] === undefined
      ? { ...message, text: output }
      : message,
  );
  return { ...stored, messages: whole };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
