/** What a small model server is told to do with one request, whichever protocol it speaks. */
export interface ToolUse {
  id: string;
  name: string;
  /** The input as the model wrote it: text that should be JSON. */
  json: string;
}

export interface Usage {
  input: number;
  output: number;
  cached: number;
}

export type Say =
  | { kind: 'answer'; text?: string; calls?: ToolUse[]; usage?: Usage | null; end?: 'stop' | 'cut_off' | 'refused' }
  /** An HTTP error. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string }
  /** An error event inside a stream that began well. */
  | { kind: 'error_event' }
  /** Half an answer: the connection is cut (`cut`), ends as if all was said (`ended`), or nothing more comes (`stalled`). */
  | { kind: 'half'; how: 'cut' | 'ended' | 'stalled' }
  /** No answer at all, not even a status. */
  | { kind: 'silent' };

/** How a protocol writes an answer as pieces of its stream, and its errors. */
export interface Protocol {
  /** Paths of its requests. */
  path: RegExp;
  answer(say: Extract<Say, { kind: 'answer' }>): string[];
  errorEvent(): string[];
  errorBody(status: number, message: string): object;
}

export const usual: Usage = { input: 100, output: 20, cached: 0 };

/** An event of a stream of server-sent events. */
export function event(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Words of a text, so that it comes in several pieces. */
export function pieces(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
