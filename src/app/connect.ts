/** Connecting a project: its hook, by URL, so that twice changes nothing (spec 2; facts: registered twice, a flow would run twice). */
import type { GitLabPort, HookSettings } from '../ports/gitlab.ts';

/** Creates the hook or brings the one with this URL up to date. */
export async function ensureHook(
  gitlab: Pick<GitLabPort, 'hooks' | 'createHook' | 'updateHook'>,
  projectId: number,
  hook: HookSettings,
): Promise<'created' | 'updated'> {
  const [same] = (await gitlab.hooks(projectId)).filter((known) => known.url === hook.url);
  if (same) {
    await gitlab.updateHook(projectId, same.id, hook);
    return 'updated';
  }
  await gitlab.createHook(projectId, hook);
  return 'created';
}
