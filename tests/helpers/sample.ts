/** The sandbox's sample project once more, in a project of a test's own. */
import { openScene, type Scene } from './scene.ts';
import type { TestService } from './service.ts';

/** Repository, issues and their comments, internal ones included. */
export async function copySample(service: TestService): Promise<Scene> {
  const { state } = service.sandbox;
  const sample = state.project(1);
  const commit = sample.commits.get(sample.branches.get('main') ?? '');
  const files = Object.fromEntries([...(commit?.files ?? [])].map(([path, file]) => [path, file.bytes.toString()]));
  const issues = sample.issues.map(({ title, description, authorId }) => ({
    title,
    description: description ?? '',
    author: state.user(authorId).username,
  }));
  const scene = await openScene(service, { files, issues });
  for (const issue of sample.issues)
    for (const note of state.notesOf(issue)) {
      if (note.authorId === state.userNamed('planwright').id) continue;
      const author = scene.as(state.user(note.authorId).username);
      await author.comment(issue.iid, note.body, note.internal ? { internal: true } : {});
    }
  return scene;
}
