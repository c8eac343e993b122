import type { Log } from '../../../src/ports/log.ts';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  data: Record<string, unknown>;
  message: string;
}

export interface MemoryLog extends Log {
  readonly lines: readonly LogLine[];
}

/** A log that keeps its lines for the test to look at. */
export function createMemoryLog(): MemoryLog {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (data: Record<string, unknown>, message: string) =>
    void lines.push({ level, data, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
