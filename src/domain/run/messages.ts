/** Messages of a conversation, stored as sent and replayed unchanged (design: The model port). */
import { z } from 'zod';

export const ToolCall = z.object({ id: z.string(), name: z.string(), input: z.unknown() });
export type ToolCall = z.infer<typeof ToolCall>;

export const ToolResult = z.object({ id: z.string(), name: z.string(), output: z.string(), isError: z.boolean() });
export type ToolResult = z.infer<typeof ToolResult>;

/**
 * An answer as the provider that gave it wants it back: thoughts with their signatures, ids of calls. Of no use to another provider; text
 * and tool calls stand beside it for those.
 */
export const NativeContent = z.object({ provider: z.string(), content: z.array(z.unknown()) });
export type NativeContent = z.infer<typeof NativeContent>;

export const ModelMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), text: z.string() }),
  z.object({
    role: z.literal('assistant'),
    text: z.string(),
    toolCalls: z.array(ToolCall),
    native: NativeContent.optional(),
  }),
  z.object({ role: z.literal('tool'), results: z.array(ToolResult) }),
]);
export type ModelMessage = z.infer<typeof ModelMessage>;
