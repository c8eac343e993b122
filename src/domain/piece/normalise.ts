/** A piece file that passed all checks as the engine reads it (spec 1). */
import { type DataKind, isDataKind } from '../workplan/data-kinds.ts';
import { parseCondition } from './condition.ts';
import { parseDuration } from './duration.ts';
import { toBudget, toInputs, toTeleports, toVariables } from './normalise-extensions.ts';
import { parseExpression } from './parse-expression.ts';
import { baseName, isFormatPath } from './paths.ts';
import type { MovementFile, PieceFile, SubMovementFile } from './schema.ts';
import { toolOf } from './tool-names.ts';
import type { AgentMovement, Condition, LoopMonitor, Movement, Piece, ReportSpec, Rule, Variable } from './types.ts';

const DEFAULT_ITERATIONS = 10;
const DEFAULT_THRESHOLD = 3;

type Files = Record<string, string>;

/** Throws for a file that was not checked: an invariant of the loader, not an answer to people. */
export function normalisePiece(file: PieceFile, files: Files, language: 'en' | 'ja'): Piece {
  const timeoutMs = parseDuration(file.timeout);
  const variables = toVariables(file.variables);
  const movements = file.movements.map((movement) => toMovement(movement, { piece: file, files, variables }));
  const [first] = movements;
  if (first === undefined) throw new Error('a piece without movements was not refused');
  return {
    name: file.name,
    ...(file.description === undefined ? {} : { description: file.description.trim() }),
    language: file.language ?? language,
    maxIterations: file.max_iterations ?? DEFAULT_ITERATIONS,
    initialMovement: file.initial_movement ?? first.name,
    movements,
    loopMonitors: (file.loop_monitors ?? []).map(toMonitor),
    ...(timeoutMs === null ? {} : { timeoutMs }),
    ...(variables.length === 0 ? {} : { variables }),
    ...(file.teleports === undefined ? {} : { teleports: toTeleports(file.teleports) }),
    ...toBudget(file.budget),
  };
}

/** What movements are read with. */
interface Around {
  piece: PieceFile;
  files: Files;
  variables: Variable[];
}

function toMovement(file: MovementFile, around: Around): Movement {
  const base = {
    name: file.name,
    rules: file.rules.map(toRule),
    ...(file.on_failure === undefined ? {} : { onFailure: file.on_failure }),
  };
  if (file.gate !== undefined) return { ...base, kind: 'gate', gate: file.gate };
  if (file.action !== undefined) return { ...base, kind: 'action', action: file.action };
  if (file.parallel !== undefined) {
    const maxParallel = file.max_parallel ?? around.piece.max_parallel;
    const { budget, timeout } = file;
    return {
      ...base,
      kind: 'parallel',
      // A limit on the whole is one for each that has none of its own: all start together.
      subs: file.parallel.map((sub) =>
        toAgent({ ...sub, timeout: sub.timeout ?? timeout, budget: sub.budget ?? budget }, around),
      ),
      ...(maxParallel === undefined ? {} : { maxParallel }),
    };
  }
  return { ...toAgent(file, around), ...base };
}

function toAgent(
  file: Omit<SubMovementFile, 'timeout' | 'budget'> & {
    timeout?: string | number | undefined;
    budget?: SubMovementFile['budget'];
  },
  { files, variables }: Around,
): AgentMovement {
  const tools = [...new Set((file.allowed_tools ?? []).map(toolOf).filter((tool) => tool !== null))];
  const timeoutMs = parseDuration(file.timeout);
  return {
    kind: 'agent',
    name: file.name,
    rules: (file.rules ?? []).map(toRule),
    ...(file.agent === undefined ? {} : { agentFile: file.agent }),
    agentName: file.agent_name ?? (file.agent === undefined ? file.name : baseName(file.agent)),
    edit: file.edit ?? false,
    permissionMode: file.edit === true ? 'bypassPermissions' : 'default',
    session: file.session ?? 'continue',
    passPreviousResponse: file.pass_previous_response ?? true,
    // Nothing left: all tools are offered.
    ...(tools.length === 0 ? {} : { allowedTools: tools }),
    ...(file.instruction_template === undefined ? {} : { instructionTemplate: file.instruction_template }),
    ...(file.report === undefined ? {} : { report: toReport(file.report, files) }),
    produces: toKinds(file.produces),
    ...(file.provider === undefined ? {} : { provider: file.provider }),
    ...(file.model === undefined ? {} : { model: file.model }),
    ...(file.inputSchema === undefined ? {} : { inputs: toInputs(file.inputSchema, variables) }),
    ...(timeoutMs === null ? {} : { timeoutMs }),
    ...toBudget(file.budget),
  };
}

function toKinds(produces: SubMovementFile['produces']): DataKind[] {
  const kinds = produces === undefined ? [] : Array.isArray(produces) ? produces : [produces];
  return [...new Set(kinds)].filter(isDataKind);
}

function toReport(report: NonNullable<SubMovementFile['report']>, files: Files): ReportSpec {
  if (typeof report === 'string') return { form: 'single', name: report };
  if (Array.isArray(report)) {
    return {
      form: 'list',
      files: report.flatMap((entry) => Object.entries(entry).map(([label, name]) => ({ label: label.trim(), name }))),
    };
  }
  const { format, order } = report;
  return {
    form: 'single',
    name: report.name,
    ...(format === undefined ? {} : { format: formatText(format, files) }),
    ...(order === undefined ? {} : { order }),
  };
}

/** The format's text: of its file where it is the path of one. */
function formatText(format: string, files: Files): string {
  const path = format.trim();
  return isFormatPath(format) && Object.hasOwn(files, path) ? (files[path] ?? format) : format;
}

interface AnyRuleFile {
  condition?: string | undefined;
  when?: string | undefined;
  next?: unknown;
  requires_user_input?: boolean | undefined;
  interactive_only?: boolean | undefined;
  appendix?: string | undefined;
}

function toRule(file: AnyRuleFile, index: number): Rule {
  return {
    index,
    condition: toCondition(file),
    text: (file.condition ?? file.when ?? '').trim(),
    next: typeof file.next === 'string' ? file.next.trim() : '',
    requiresUserInput: file.requires_user_input ?? false,
    interactiveOnly: file.interactive_only ?? false,
    ...(file.appendix === undefined ? {} : { appendix: file.appendix }),
  };
}

function toCondition({ condition, when }: AnyRuleFile): Condition {
  if (condition !== undefined) {
    const parsed = parseCondition(condition);
    if (!parsed.ok) throw new Error(`a condition that cannot be read was not refused: ${parsed.message}`);
    return parsed.condition;
  }
  const parsed = parseExpression(when ?? '');
  if (!parsed.ok) throw new Error(`an expression that cannot be read was not refused: ${parsed.message}`);
  return { kind: 'when', text: (when ?? '').trim(), expression: parsed.expression };
}

function toMonitor(file: NonNullable<PieceFile['loop_monitors']>[number]): LoopMonitor {
  const { judge } = file;
  return {
    cycle: file.cycle,
    threshold: file.threshold ?? DEFAULT_THRESHOLD,
    judge: {
      ...(judge.agent === undefined ? {} : { agentFile: judge.agent }),
      ...(judge.instruction_template === undefined ? {} : { instructionTemplate: judge.instruction_template }),
      rules: judge.rules.map(toRule),
    },
  };
}
