import { type DestinationStream, pino } from 'pino';
import type { Log } from './ports/log.ts';

export interface LoggerOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** A line for people instead of a JSON object a line. */
  pretty?: boolean;
  /** Where lines go; standard error by default, so that standard output stays for a command's answer. */
  destination?: DestinationStream;
}

const hidden = '[hidden]';
const maxDepth = 6;
// Whole words at the end: `inputTokens` and `tokenCount` are numbers that stay.
const secretKey = /(?:^|[-_.]|[a-z](?=[A-Z]))(?:token|secret|password|passwd|authorization|cookie|api-?_?key)$/i;
const secretTexts: readonly [RegExp, string][] = [
  [/\b(Bearer +)[\w.~+/=-]{6,}/gi, `$1${hidden}`],
  [/\b(Basic +)[A-Za-z0-9+/]{12,}=*/gi, `$1${hidden}`],
  [/\b(?:gl(?:pat|dt|rt|ft|ptt|oas|cbt|soat|imt|agent|ffct|wt)-|whsec_|sk-|AIza|sandbox-)[\w.=+/-]{4,}/g, hidden],
  [/(\b[a-z][\w+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi, `$1${hidden}@`],
  [/([?&](?:private_token|access_token|token|key|code|state)=)[^\s&#]+/gi, `$1${hidden}`],
];

/** The log on pino. Tokens, passwords, authorization headers and credentials in URLs are hidden at any depth, in texts too. */
export function createLogger(options: LoggerOptions): Log {
  const destination = options.destination ?? pino.destination(2);
  const settings = {
    level: options.level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }), log: (data: object) => scrubObject(data, 0) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const target = options.pretty ? { write: (line: string) => destination.write(prettyLine(line)) } : destination;
  const logger = pino(settings, target);
  return {
    debug: (data, message) => logger.debug(data, message),
    info: (data, message) => logger.info(data, message),
    warn: (data, message) => logger.warn(data, message),
    error: (data, message) => logger.error(data, message),
  };
}

function scrubObject(data: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      secretKey.test(key) && value !== null && value !== undefined ? hidden : scrub(value, depth + 1),
    ]),
  );
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '[too deep]';
  if (value instanceof Error) return scrubError(value, depth);
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((entry) => scrub(entry, depth + 1));
  return scrubObject(value, depth);
}

function scrubError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause, ...more } = error as Error & Record<string, unknown>;
  return {
    name,
    message: scrubText(message),
    ...(stack === undefined ? {} : { stack: scrubText(stack) }),
    ...(cause === undefined ? {} : { cause: scrub(cause, depth + 1) }),
    ...scrubObject(more, depth),
  };
}

function scrubText(text: string): string {
  return secretTexts.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

function prettyLine(line: string): string {
  const { time, level, msg, ...data } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.keys(data).length > 0 ? ` ${JSON.stringify(data)}` : '';
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${String(msg ?? '')}${rest}\n`;
}
