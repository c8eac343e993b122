/** Messages of a conversation, stored as sent and replayed unchanged (design: The model port). */
import { z } from 'zod';

export const ToolCall = z.object({ id: z.string(), name: z.string(), input: z.unknown() });
export type ToolCall = z.infer<typeof ToolCall>;

export const ToolResult = z.object({ id: z.string(), name: z.string(), output: z.string(), isError: z.boolean() });
export type ToolResult = z.infer<typeof ToolResult>;

export const ModelMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), text: z.string() }),
  z.object({ role: z.literal('assistant'), text: z.string(), toolCalls: z.array(ToolCall) }),
  z.object({ role: z.literal('tool'), results: z.array(ToolResult) }),
]);
export type ModelMessage = z.infer<typeof ModelMessage>;
