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
  /** Declared values that movements write and `when` rules read. */
  variables?: Variable[];
  /** Entries from outside (spec 3). */
  teleports?: Teleport[];
  budget?: Budget;
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
  /** Who is asked, as written; they count where the operator offers them (docs/models.md). */
  provider?: string;
  model?: string;
  /** Values that the agent hands over in a `json:inputs` fence. */
  inputs?: InputSchema;
  timeoutMs?: number;
  budget?: Budget;
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
  | { kind: 'any'; args: string[] }
  /** A `when` rule: decided by variables alone, never offered as a tag nor to a judge. */
  | { kind: 'when'; text: string; expression: Expression };

/** A value of an expression; null: a variable that was never written. */
export type Literal = string | number | boolean | null;

/** A `when` expression; `at` is an offset in its text. */
export type Expression =
  | { kind: 'literal'; value: Literal; at: number }
  | { kind: 'variable'; name: string; at: number }
  | { kind: 'not'; operand: Expression }
  | { kind: 'and' | 'or'; terms: Expression[] }
  | { kind: 'in'; value: Expression; options: Expression[]; at: number }
  | {
      kind: 'compare';
      operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
      left: Expression;
      right: Expression;
      at: number;
    };

export interface Variable {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean';
  /** The values it may have; left out: any of its type. */
  values?: (string | number | boolean)[];
}

/** What a movement's agent hands over besides its output (spec 1: `inputSchema`). */
export interface InputSchema {
  /** Variables of the piece that this movement may write, and it alone writes them now. */
  globals: Variable[];
  /** Values that stay with the movement. */
  properties: InputProperty[];
  required: string[];
}

export interface InputProperty {
  name: string;
  description?: string;
  shape: PropertyShape;
}

/** The part of JSON Schema that a property can use. */
export interface PropertyShape {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  enum?: (string | number | boolean)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: PropertyShape;
}

/**
 * An entry from outside into a piece that is being carried out (spec 3). This language only declares and checks it: it has no
 * incoming edge, no rule reaches it, and the jump itself is an act of an execution, not of `decide`.
 */
export interface Teleport {
  name: string;
  /** Shown at every step: the lawful reason, and what belongs elsewhere. */
  hint: string;
  /** What is answered to the jump. */
  directive: string;
  completionCondition: string;
  /** The movement that the jump leads to. */
  next: string;
}

/** What a run, or one movement of it, may use; the driver watches it, since usage is no event. */
export interface Budget {
  /** Tokens of input and output. */
  tokens?: number;
  /** In the currency of the operator's prices. */
  money?: number;
}

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
