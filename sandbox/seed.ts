import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import type { RepoFile } from './model.ts';
import type { SandboxState } from './state.ts';

const OWN_SEED = fileURLToPath(new URL('./seed', import.meta.url));
const SEED_TIME = '2026-01-12T09:00:00.000Z';

const Comment = z.strictObject({
  author: z.string(),
  body: z.string(),
  internal: z.boolean().default(false),
  replies: z.array(z.strictObject({ author: z.string(), body: z.string() })).default([]),
});
const SeedProject = z.strictObject({
  name: z.string().optional(),
  description: z.string().default(''),
  visibility: z.enum(['private', 'internal', 'public']).default('private'),
  members: z.record(z.string(), z.string()),
  labels: z
    .array(z.strictObject({ name: z.string(), color: z.string(), description: z.string().optional() }))
    .default([]),
  issues: z
    .array(
      z.strictObject({
        title: z.string(),
        author: z.string(),
        labels: z.array(z.string()).default([]),
        assignees: z.array(z.string()).default([]),
        description: z.string().default(''),
        /** A Markdown file beside project.yaml, instead of `description`. */
        file: z.string().optional(),
        comments: z.array(Comment).default([]),
      }),
    )
    .default([]),
});

/** All files under a folder as a repository's tree. */
export async function readRepo(folder: string): Promise<Map<string, RepoFile>> {
  const files = new Map<string, RepoFile>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [bytes, info] = await Promise.all([readFile(path), stat(path)]);
    files.set(relative(folder, path).split(sep).join('/'), { bytes, executable: (info.mode & 0o111) !== 0 });
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function projectFiles(seedDir: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    const definition = entries.find((entry) => entry.isFile() && /^project\.(ya?ml|json)$/.test(entry.name));
    if (definition) {
      found.push(join(folder, definition.name));
      return;
    }
    for (const entry of entries) if (entry.isDirectory()) await visit(join(folder, entry.name));
  };
  await visit(seedDir);
  return found;
}

/** Fills the state from a folder of `NAMESPACE/PROJECT/{project.yaml,repo/}`; every time in it is fixed. */
export async function loadSeed(state: SandboxState, seedDir: string = OWN_SEED): Promise<void> {
  const definitions = await projectFiles(seedDir);
  if (definitions.length === 0) {
    throw new Error(`${seedDir} holds no project: expected NAMESPACE/PROJECT/project.yaml in it`);
  }
  for (const definition of definitions) {
    const folder = join(definition, '..');
    const parsed = SeedProject.safeParse(parse(await readFile(definition, 'utf8')));
    if (!parsed.success) throw new Error(`${definition} is not a project:\n${z.prettifyError(parsed.error)}`);
    await addSeedProject(state, relative(seedDir, folder).split(sep).join('/'), folder, parsed.data);
  }
}

async function addSeedProject(
  state: SandboxState,
  path: string,
  folder: string,
  seed: z.infer<typeof SeedProject>,
): Promise<void> {
  const repo = join(folder, 'repo');
  const hasRepo = await stat(repo).then(
    (info) => info.isDirectory(),
    () => false,
  );
  const project = state.addProject({
    path,
    description: seed.description,
    visibility: seed.visibility,
    members: seed.members,
    createdAt: SEED_TIME,
    ...(seed.name === undefined ? {} : { name: seed.name }),
    ...(hasRepo ? { files: await readRepo(repo) } : {}),
  });
  for (const label of seed.labels) state.ensureLabel(project, label.name, label.color, label.description ?? null);
  let minute = 0;
  const nextTime = (): string => {
    minute += 7;
    return new Date(Date.parse(SEED_TIME) + minute * 60_000).toISOString();
  };
  for (const issue of seed.issues) {
    const added = state.addIssue(project, {
      title: issue.title,
      description: issue.file === undefined ? issue.description : await readFile(join(folder, issue.file), 'utf8'),
      authorId: state.userNamed(issue.author).id,
      assigneeIds: issue.assignees.map((name) => state.userNamed(name).id),
      labels: issue.labels,
      createdAt: nextTime(),
    });
    for (const comment of issue.comments) {
      const first = state.addNote(added, {
        authorId: state.userNamed(comment.author).id,
        body: comment.body.trimEnd(),
        internal: comment.internal,
        createdAt: nextTime(),
      });
      const discussion = added.discussions.find((known) => known.id === first.discussionId);
      for (const reply of comment.replies) {
        state.addNote(added, {
          authorId: state.userNamed(reply.author).id,
          body: reply.body.trimEnd(),
          createdAt: nextTime(),
          ...(discussion ? { discussion } : {}),
        });
      }
    }
  }
}
