/** Per-project settings: `.gitlab/planwright.yml` on the default branch (spec 2: Settings; docs/project-settings.md). */
import { z } from 'zod';
import { placeOf } from '../domain/piece/document.ts';
import { parseDuration } from '../domain/piece/duration.ts';
import { didYouMean } from '../domain/piece/nearest.ts';
import { type Located, readYaml } from '../domain/piece/yaml.ts';
import type { GitLabPort, GitLabProject } from '../ports/gitlab.ts';

export const SETTINGS_FILE = '.gitlab/planwright.yml';

const MAX_BYTES = 64 * 1024;
const MAX_PROBLEMS = 10;

export const ROLE_NAMES = [
  'Guest',
  'Planner',
  'Reporter',
  'Security Manager',
  'Developer',
  'Maintainer',
  'Owner',
] as const;
const roleList = z.array(z.enum(ROLE_NAMES)).min(1);

/** One rule of `auto_plan`: all that it names must fit. Names are compared without regard to case. */
const AutoPlanRule = z
  .strictObject({
    /** A username, stored without its "@". */
    author: z
      .string()
      .regex(/^@?[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/, 'expected a username')
      .transform((name) => name.replace(/^@/, ''))
      .optional(),
    /** As GitLab names it, in lower case: issue, incident, task, … */
    type: z
      .string()
      .regex(/^[A-Za-z][A-Za-z_ -]{0,49}$/, 'expected a type of work item, e.g. issue, incident or task')
      .transform((type) => type.toLowerCase())
      .optional(),
    label: z.string().trim().min(1).max(255).optional(),
  })
  .refine((rule) => Object.keys(rule).length > 0, 'expected at least one of author, type and label');
export type AutoPlanRule = z.infer<typeof AutoPlanRule>;

/** What may be spent; null: as much as the operator allows. `wall_time` is given as `90s`, `30m` or `2h`. */
const Spending = z
  .strictObject({
    tokens: z.int().min(1).max(1e12).nullable().default(null),
    /** In the currency of the operator's prices. */
    money: z.number().positive().max(1e9).nullable().default(null),
    wall_time: z
      .union([z.string(), z.number()])
      .refine((text) => parseDuration(text) !== null, 'expected a time such as 90s, 30m or 2h, at most 576h')
      .nullable()
      .default(null),
  })
  .prefault({})
  .transform(({ tokens, money, wall_time }) => ({
    tokens,
    money,
    wallTimeMs: wall_time === null ? null : parseDuration(wall_time),
  }));
export type Spending = z.infer<typeof Spending>;

const modelId = z
  .string()
  .regex(/^[^\s\p{C}]{1,200}$/u, 'expected the name of a model, without white space')
  .nullable()
  .default(null);

export const ProjectSettings = z.strictObject({
  enabled: z.boolean().default(true),
  piece: z.string().min(1).max(100).default('workplan'),
  interactive: z.boolean().default(true),
  /** An item that fits one of the rules is planned when it is opened. */
  auto_plan: z.array(AutoPlanRule).max(50).default([]),
  roles: z
    .strictObject({
      plan: roleList.default(['Developer', 'Maintainer', 'Owner']),
      continue: roleList.default(['Planner', 'Reporter', 'Developer', 'Maintainer', 'Owner']),
      /** Replaces "above Guest" where it is given. */
      answer: roleList.nullable().default(null),
    })
    .prefault({}),
  plan_target: z.enum(['note', 'description']).default('note'),
  question_format: z.enum(['hidden', 'duo']).default('hidden'),
  language: z.string().min(2).max(10).default('auto'),
  score: z.enum(['on', 'off']).default('on'),
  /** What one run, and all runs of the project on one day, may spend. */
  budget: z.strictObject({ run: Spending, day: Spending }).prefault({}),
  /** Runs that may be at work at once, further ones wait in the queue; null: the operator's. */
  max_live_runs: z.int().min(1).max(10_000).nullable().default(null),
  /** A model id a role; null: the operator's. */
  models: z.strictObject({ research: modelId, plan: modelId, judge: modelId }).prefault({}),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** Of a project's limit and the operator's ceiling the one that holds; null: no limit. */
export function lowerOf(wanted: number | null, ceiling: number | null): number | null {
  if (wanted === null || ceiling === null) return wanted ?? ceiling;
  return Math.min(wanted, ceiling);
}

export type SettingsResult = { ok: true; settings: ProjectSettings } | { ok: false; message: string };

/** Parses the file's text; an empty file means the defaults. The message of a failure says where and what was expected. */
export function parseSettings(text: string): SettingsResult {
  if (text.length > MAX_BYTES) return { ok: false, message: `${SETTINGS_FILE} is over ${MAX_BYTES} bytes.` };
  const { root, findings } = readYaml(text);
  const unreadable = findings.filter((finding) => finding.code !== 'empty_file');
  if (unreadable.length > 0)
    return refused(unreadable.map(({ line, column, message }) => `${line}:${column} ${message}`));
  const parsed = ProjectSettings.safeParse((root && plain(root)) ?? {});
  if (parsed.success) return { ok: true, settings: parsed.data };
  return refused(parsed.error.issues.map((issue) => problemText(root, issue)));
}

function refused(problems: string[]): SettingsResult {
  const shown = problems.slice(0, MAX_PROBLEMS).join('; ');
  const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more` : '';
  return { ok: false, message: `${SETTINGS_FILE}:${shown}${more}` };
}

function problemText(root: Located | null, issue: z.core.$ZodIssue): string {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const at = unknown === undefined ? path : [...path, unknown];
  const { line, column } = root === null ? { line: 1, column: 1 } : placeOf(root, at, unknown ? 'key' : 'value');
  const name = path.join('.') || 'the file';
  if (unknown !== undefined)
    return `${line}:${column} ${name}: unknown key \`${unknown}\`${didYouMean(unknown, knownKeys(path))}`;
  return `${line}:${column} ${name}: ${issue.message}`;
}

/** The keys that may stand at a path of the file, for hints. */
function knownKeys(path: (string | number)[]): string[] {
  const shapes: Record<string, readonly string[]> = {
    '': Object.keys(ProjectSettings.shape),
    roles: ['plan', 'continue', 'answer'],
    models: ['research', 'plan', 'judge'],
    budget: ['run', 'day'],
    'budget.run': ['tokens', 'money', 'wall_time'],
    'budget.day': ['tokens', 'money', 'wall_time'],
  };
  return [...(shapes[path.join('.')] ?? ['author', 'type', 'label'])];
}

function plain(node: Located): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
}

const NO_FILE = parseSettings('');

/** Reads the project's file from GitLab; without a repository or a file the defaults hold. */
export async function readSettings(
  gitlab: Pick<GitLabPort, 'rawFile'>,
  project: GitLabProject,
  signal?: AbortSignal,
): Promise<SettingsResult> {
  if (project.defaultBranch === null) return NO_FILE;
  const text = await gitlab.rawFile(project.id, project.defaultBranch, SETTINGS_FILE, signal ? { signal } : {});
  return text === null ? NO_FILE : parseSettings(text);
}

/** A file to begin with: the defaults, and what is chosen most. */
export const SETTINGS_SAMPLE = `# How this project wants to be planned. Every key may be left out.
enabled: true
piece: workplan
interactive: true          # false: never ask
# auto_plan:               # plan these items when they are opened
#   - { label: needs plan }
roles:
  plan: [Developer, Maintainer, Owner]
  continue: [Planner, Reporter, Developer, Maintainer, Owner]
plan_target: note          # or description
question_format: hidden    # or duo
language: auto             # or e.g. de
score: on
# max_live_runs: 3         # plans made at the same time
# budget:
#   run: { tokens: 400000, wall_time: 30m }
`;
