import { z } from 'zod';

const version = z.string().regex(/^\d+\.\d+\.\d+/, 'expected a version like 18.9.0');

/** What of an instance can be switched, with the values it starts with: GitLab 18.9 without a licence, but with signing tokens. */
export const SettingsPatch = z.strictObject({
  version: version.optional(),
  /** What `/metadata` says; also in the name of the version (`18.9.0-ee`). */
  enterprise: z.boolean().optional(),
  /** A scoped label (`a::b`) takes the place of another of its scope, as with a licence. */
  scopedLabels: z.boolean().optional(),
  /** Nothing is sent, and nobody is told. */
  silentMode: z.boolean().optional(),
  /** Hooks are disabled for a while from the fourth failure in a row, for good at the fortieth. */
  hookAutoDisable: z.boolean().optional(),
  /** Hooks have signing tokens, as from 19.0 on; else the field is ignored without a word. */
  webhookSigning: z.boolean().optional(),
  /** Items of every type go by `work_item`, as later releases send them. */
  workItemHooks: z.boolean().optional(),
  /** Without it `/api/graphql` is a 404, as behind a proxy that lets REST through only. */
  graphql: z.boolean().optional(),
  /**
   * How commands are found in a text: as releases from 17 do (`markdown`), as those before (`pattern`), or both at once, so that who is
   * safe here is safe on either.
   */
  quickActions: z.enum(['both', 'markdown', 'pattern']).optional(),
});

type Patch = z.infer<typeof SettingsPatch>;
export type SandboxSettings = { [Name in keyof Patch]-?: Exclude<Patch[Name], undefined> };

export function defaultSettings(): SandboxSettings {
  return {
    version: '18.9.0',
    enterprise: false,
    scopedLabels: false,
    silentMode: false,
    hookAutoDisable: false,
    webhookSigning: true,
    workItemHooks: false,
    graphql: true,
    quickActions: 'both',
  };
}

/** Is the instance's release at least this one (`17.4`)? */
export function atLeast(settings: SandboxSettings, wanted: string): boolean {
  const parts = (text: string): number[] => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [major = 0, minor = 0] = parts(settings.version);
  const [wantedMajor = 0, wantedMinor = 0] = parts(wanted);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
