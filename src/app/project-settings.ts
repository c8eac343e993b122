/** Per-project settings: `.gitlab/planwright.yml` on the default branch (spec 2: Settings). */
import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { GitLabPort, GitLabProject } from '../ports/gitlab.ts';

export const SETTINGS_FILE = '.gitlab/planwright.yml';

const MAX_BYTES = 64 * 1024;

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

export const ProjectSettings = z.strictObject({
  enabled: z.boolean().default(true),
  piece: z.string().min(1).max(100).default('workplan'),
  interactive: z.boolean().default(true),
  roles: z
    .strictObject({
      plan: roleList.default(['Developer', 'Maintainer', 'Owner']),
      continue: roleList.default(['Planner', 'Reporter', 'Developer', 'Maintainer', 'Owner']),
      /** Replaces "above Guest" where it is given. */
      answer: roleList.nullable().default(null),
    })
    .prefault({}),
  question_format: z.enum(['hidden', 'duo']).default('hidden'),
  language: z.string().min(2).max(10).default('auto'),
  score: z.enum(['on', 'off']).default('on'),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

export type SettingsResult = { ok: true; settings: ProjectSettings } | { ok: false; message: string };

/** Parses the file's text; an empty file means the defaults. The message of a failure says where and what was expected. */
export function parseSettings(text: string): SettingsResult {
  if (text.length > MAX_BYTES) return { ok: false, message: `${SETTINGS_FILE} is over ${MAX_BYTES} bytes.` };
  const document = parseDocument(text, { prettyErrors: true });
  const error = document.errors[0];
  if (error) return { ok: false, message: `${SETTINGS_FILE}: ${error.message.split('\n')[0]}` };
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 50 });
  } catch (cause) {
    return { ok: false, message: `${SETTINGS_FILE}: ${cause instanceof Error ? cause.message : 'cannot be read'}` };
  }
  const later = laterKeys(data);
  if (later !== null) return { ok: false, message: `${SETTINGS_FILE}: ${later}` };
  const parsed = ProjectSettings.safeParse(data ?? {});
  if (parsed.success) return { ok: true, settings: parsed.data };
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  return { ok: false, message: `${SETTINGS_FILE}: ${problems.join('; ')}` };
}

/** Keys that are known, and do nothing in this version: left without effect, a project would rely on what does not happen. */
const LATER_KEYS = ['auto_plan', 'plan_target', 'budget', 'max_live_runs', 'models'] as const;

function laterKeys(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const used = LATER_KEYS.filter((key) => Object.hasOwn(data, key));
  if (used.length === 0) return null;
  return used.map((key) => `${key}: not in this version of the service; remove it`).join('; ');
}

/** Reads the project's file from GitLab; without a repository or a file the defaults hold. */
export async function readSettings(
  gitlab: Pick<GitLabPort, 'rawFile'>,
  project: GitLabProject,
  signal?: AbortSignal,
): Promise<SettingsResult> {
  if (project.defaultBranch === null) return parseSettings('');
  const text = await gitlab.rawFile(project.id, project.defaultBranch, SETTINGS_FILE, signal ? { signal } : {});
  return parseSettings(text ?? '');
}
