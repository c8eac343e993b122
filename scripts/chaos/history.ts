/** All that is left behind when a chaos run is over: what the checks look at. */
import type { AuditEntry } from './audit.ts';

export interface HistoryRun {
  id: string;
  itemId: number;
  status: string;
  reason: string | null;
  live: boolean;
  pauseId: string | null;
  seq: number;
}

export interface HistoryEvent {
  runId: string;
  seq: number;
  at: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of many shapes, read from the store as they are.
  data: any;
}

export interface HistoryNote {
  id: number;
  discussionId: string;
  author: string;
  body: string;
}

export interface HistoryItem {
  /** GitLab's global id of the item. */
  id: number;
  projectId: number;
  iid: number;
  notes: HistoryNote[];
}

/** An action that the API answered with 202. */
export interface AcceptedAction {
  action: string;
  person: string;
  itemId: number;
  runId: string;
  /** The pause that a Continue named. */
  pauseId: string | null;
}

/** A comment with a command that stands on an item. */
export interface CommandNote {
  action: string;
  person: string;
  itemId: number;
  noteId: number;
}

/** A reply that stands under a question. */
export interface ReplyNote {
  person: string;
  eligible: boolean;
  itemId: number;
  noteId: number;
  runId: string;
  pauseId: string;
  questionId: string;
  /** A word that stands in no other reply. */
  token: string;
  /** When GitLab had answered that it is stored, ISO 8601. */
  storedAt: string;
}

export interface History {
  runs: HistoryRun[];
  events: HistoryEvent[];
  audit: AuditEntry[];
  /** `content`: as in the inbox's table. */
  inbox: { id: string; content: string | null; state: string; error: string | null }[];
  outbox: { marker: string; error: string | null }[];
  outboxFailures: { itemId: number; runId: string | null; kind: string; marker: string; error: string | null }[];
  recorded: { itemId: number; marker: string; noteId: number }[];
  actions: { key: string; runId: string | null }[];
  items: HistoryItem[];
  journal: { actor: string | null; method: string; path: string; status: number; id: number | string | null }[];
  /** Deliveries that the service acknowledged, of kinds that it keeps. */
  acknowledged: { id: string; content: string | null }[];
  accepted: AcceptedAction[];
  commands: CommandNote[];
  replies: ReplyNote[];
}

/** Sentences about what is wrong; empty: it holds. */
export type Check = (history: History) => string[];
