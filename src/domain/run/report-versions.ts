/** Earlier versions of reports (spec 1: a report written again keeps its earlier versions): they stay in the log. */
import type { RunEvent } from './events.ts';

/** One version of a report; `version` counts from 1 for each file, `at` is ISO 8601 UTC. */
export interface ReportVersion {
  file: string;
  version: number;
  movement: string;
  sub: string | null;
  text: string;
  at: string;
}

/** All versions of all reports in the order in which they were written; the last of a file is the one that prompts show. */
export function reportVersions(events: readonly RunEvent[]): ReportVersion[] {
  const counts = new Map<string, number>();
  return events.flatMap((event) => {
    if (event.type !== 'report_written') return [];
    const { at, file, movement, sub, text } = event;
    const version = (counts.get(file) ?? 0) + 1;
    counts.set(file, version);
    return [{ file, version, movement, sub, text, at }];
  });
}
