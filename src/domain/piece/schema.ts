/**
 * The shape of a piece file (spec 1), with the names as they are written; twins of other versions are renamed before.
 * Values, references and places are checked in `check-*.ts`. Editors can be given its JSON Schema.
 */
import { z } from 'zod';
import { DATA_SCHEMAS } from '../workplan/data-kinds.ts';

const text = z.string().trim().min(1);

/** Seconds, or a text such as `90s`, `10m`, `1h`. */
const Timeout = z.union([z.number().positive(), z.string().regex(/^\d{1,9}(?:\.\d{1,3})?\s*(?:s|m|h)?$/)]);

const DataKinds = z.enum(Object.keys(DATA_SCHEMAS) as [keyof typeof DATA_SCHEMAS, ...(keyof typeof DATA_SCHEMAS)[]]);

export const ReportMapFile = z.strictObject({
  name: text,
  format: z.string().optional(),
  order: z.string().optional(),
});

const ReportFile = z.union([
  text,
  ReportMapFile,
  z
    .array(z.record(z.string().trim().min(1), text))
    .min(1)
    .max(100),
]);

/** One of `condition` and `when` must stand there, which `check-rules.ts` says in better words. */
export const RuleFile = z.strictObject({
  condition: text.optional(),
  when: text.optional(),
  next: text,
  requires_user_input: z.boolean().optional(),
  interactive_only: z.boolean().optional(),
  appendix: z.string().optional(),
});
export type RuleFile = z.infer<typeof RuleFile>;

/** On a sub-movement `next` may be anything: the parent's rules decide. */
const SubRuleFile = RuleFile.extend({ next: z.unknown().optional() });

/** A plain scalar; its type is that of the variable or property. */
const Value = z.union([z.string(), z.number(), z.boolean()]);

export const BudgetFile = z.strictObject({
  tokens: z.number().int().min(1).optional(),
  money: z.number().positive().optional(),
});

const variableFields = {
  type: z.enum(['string', 'number', 'integer', 'boolean']),
  values: z.array(Value).min(1).max(200).optional(),
  description: z.string().optional(),
};
/** A variable in a list of variables; in a map its name is the key. */
export const VariableFile = z.strictObject({ name: text, ...variableFields });
const VariablesFile = z.union([z.array(VariableFile).max(200), z.record(z.string(), z.strictObject(variableFields))]);

const propertyFields = {
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']),
  description: z.string().optional(),
  enum: z.array(Value).min(1).max(200).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().int().min(0).optional(),
  maxLength: z.number().int().min(0).optional(),
};
/** The part of JSON Schema that a property can use; a list's entries are one level deep. */
export const PropertyFile = z.strictObject({ ...propertyFields, items: z.strictObject(propertyFields).optional() });
export type PropertyFile = z.infer<typeof PropertyFile>;

export const InputSchemaFile = z.strictObject({
  type: z.literal('object').optional(),
  globalInputs: z.array(text).max(200).optional(),
  properties: z.record(z.string(), PropertyFile).optional(),
  required: z.array(text).max(400).optional(),
});
export type InputSchemaFile = z.infer<typeof InputSchemaFile>;

export const TeleportFile = z.strictObject({
  name: text,
  hint: text,
  directive: text,
  completion_condition: text,
  next: text,
});

const agentFields = {
  name: text,
  description: z.string().optional(),
  agent: text.optional(),
  agent_name: text.optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
  edit: z.boolean().optional(),
  permission_mode: z.enum(['edit', 'readonly', 'full']).optional(),
  session: z.enum(['continue', 'refresh']).optional(),
  pass_previous_response: z.boolean().optional(),
  allowed_tools: z.array(z.string()).optional(),
  instruction_template: z.string().optional(),
  report: ReportFile.optional(),
  produces: z.union([DataKinds, z.array(DataKinds).min(1)]).optional(),
  inputSchema: InputSchemaFile.optional(),
  on_failure: text.optional(),
  timeout: Timeout.optional(),
  budget: BudgetFile.optional(),
  max_parallel: z.number().int().min(1).optional(),
};

export const SubMovementFile = z.strictObject({ ...agentFields, rules: z.array(SubRuleFile).optional() });
export type SubMovementFile = z.infer<typeof SubMovementFile>;

export const MovementFile = z.strictObject({
  ...agentFields,
  rules: z.array(RuleFile).min(1),
  parallel: z.array(SubMovementFile).optional(),
  gate: z.enum(['input', 'context', 'approval']).optional(),
  action: z.enum(['publish_workplan', 'compute_score', 'publish_score', 'deliver']).optional(),
});
export type MovementFile = z.infer<typeof MovementFile>;

export const JudgeFile = z.strictObject({
  agent: text.optional(),
  instruction_template: z.string().optional(),
  rules: z.array(RuleFile).min(1),
});

export const LoopMonitorFile = z.strictObject({
  cycle: z.array(text).min(1),
  threshold: z.number().int().min(1).optional(),
  judge: JudgeFile,
});

export const PieceFile = z.strictObject({
  name: text,
  description: z.string().optional(),
  max_iterations: z.number().int().min(1).max(1_000_000).optional(),
  initial_movement: text.optional(),
  movements: z.array(MovementFile).min(1),
  loop_monitors: z.array(LoopMonitorFile).optional(),
  language: z.enum(['en', 'ja']).optional(),
  answer_agent: z.unknown().optional(),
  timeout: Timeout.optional(),
  max_parallel: z.number().int().min(1).optional(),
  budget: BudgetFile.optional(),
  variables: VariablesFile.optional(),
  teleports: z.array(TeleportFile).max(50).optional(),
});
export type PieceFile = z.infer<typeof PieceFile>;

/** Keys whose values are numbers or truth values; everywhere else a plain scalar is the text as it is written. */
export const TYPED_KEYS: ReadonlySet<string> = new Set([
  'max_iterations',
  'max_parallel',
  'threshold',
  'timeout',
  'tokens',
  'money',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'edit',
  'pass_previous_response',
  'requires_user_input',
  'interactive_only',
]);
