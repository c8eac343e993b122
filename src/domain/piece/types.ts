/** A loaded piece, normalised (spec 1). Parsing, checks and lint produce it; the run engine only reads it. */
import type { DataKind } from '../workplan/data-kinds.ts';

/** A piece as it is stored with a run (D9): its text and the text of every file it names, keyed by the path as written. */
export interface PieceBundle {
  name: string;
  /** The piece's file name, shown in diagnostics. */
  file: string;
  text: string;
  files: Record<string, string>;
}

export interface Piece {
  name: string;
  description?: string;
  language: 'en' | 'ja';
  maxIterations: number;
  initialMovement: string;
  movements: Movement[];
  loopMonitors: LoopMonitor[];
  /** Wall-clock limit of the run's GENERATING time, milliseconds. */
  timeoutMs?: number;
}

export type Movement = AgentMovement | ParallelMovement | GateMovement | ActionMovement;

interface MovementBase {
  name: string;
  rules: Rule[];
  /** Where to go when the movement failed for good, instead of aborting: a movement's name or `COMPLETE`. */
  onFailure?: string;
}

export interface AgentMovement extends MovementBase {
  kind: 'agent';
  /** The agent file's path as written, key of `PieceBundle.files`. */
  agentFile?: string;
  /** Shown to people: `agent_name`, else the agent file's base name, else the movement's name. */
  agentName: string;
  edit: boolean;
  permissionMode: 'bypassPermissions' | 'default';
  session: 'continue' | 'refresh';
  passPreviousResponse: boolean;
  allowedTools?: string[];
  instructionTemplate?: string;
  report?: ReportSpec;
  produces: DataKind[];
  timeoutMs?: number;
}

export interface ParallelMovement extends MovementBase {
  kind: 'parallel';
  subs: AgentMovement[];
  maxParallel?: number;
}

export interface GateMovement extends MovementBase {
  kind: 'gate';
  gate: 'input' | 'context' | 'approval';
}

export interface ActionMovement extends MovementBase {
  kind: 'action';
  action: 'publish_workplan' | 'compute_score' | 'publish_score' | 'deliver';
}

export interface Rule {
  /** Its number in the file, from 0; numbers never shift. */
  index: number;
  condition: Condition;
  /** The condition as written, trimmed: a sub-movement's result text. */
  text: string;
  /** A movement's name, `COMPLETE` or `ABORT`; ignored on a sub-movement. */
  next: string;
  requiresUserInput: boolean;
  interactiveOnly: boolean;
  appendix?: string;
}

export type Condition =
  | { kind: 'text'; text: string }
  | { kind: 'ai'; text: string }
  | { kind: 'all'; args: string[] }
  | { kind: 'any'; args: string[] };

export type ReportSpec =
  | { form: 'single'; name: string; format?: string; order?: string }
  | { form: 'list'; files: { label: string; name: string }[] };

export interface LoopMonitor {
  cycle: string[];
  threshold: number;
  judge: { agentFile?: string; instructionTemplate?: string; rules: Rule[] };
}

/** One finding about a piece file. `line` and `column` count from 1. */
export interface Diagnostic {
  file: string;
  line: number;
  column: number;
  level: 'error' | 'warning' | 'notice';
  code: string;
  message: string;
}
