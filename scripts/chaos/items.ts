/** The items of the chaos suite: projects of the sandbox, each with the piece that its settings name, and their hooks. */
import { ensureHook } from '../../src/app/connect.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { openGitLab } from '../../src/wire/infrastructure.ts';
import { PIECES, type PieceName } from './pieces.ts';
import type { World } from './world.ts';

export interface Item {
  /** GitLab's global id. */
  id: number;
  projectId: number;
  projectPath: string;
  iid: number;
  piece: PieceName;
}

const ITEMS_A_PROJECT = 25;
const MEMBERS = {
  alice: 'Developer',
  bob: 'Reporter',
  carol: 'Guest',
  dave: 'Planner',
  maria: 'Maintainer',
  planwright: 'Developer',
};
const FILES = {
  'README.md': '# Notes\n\nA service that keeps notes.\n',
  'src/notes/store.ts':
    'const notes = new Map();\n\nexport const find = (id) => notes.get(id);\nexport const save = (note) => notes.set(note.id, note);\n',
};

/** Makes so many items, of the pieces in turn. */
export async function makeItems(world: World, count: number): Promise<Item[]> {
  const { sandbox, post, signingToken } = world;
  const log = createLogger({ level: 'silent' });
  const maria = openGitLab({ ...loadConfig({}), gitlabUrl: sandbox.url, gitlabToken: 'sandbox-maria' }, log);
  const items: Item[] = [];
  for (let number = 0; items.length < count; number += 1) {
    const piece = PIECES[number % PIECES.length] ?? 'workplan';
    const projectPath = `chaos/notes-${number}`;
    const each = Math.min(ITEMS_A_PROJECT, Math.max(1, Math.ceil(count / PIECES.length)), count - items.length);
    const issues = Array.from({ length: each }, (_, index) => ({
      title: `Delete a note (${number}.${index})`,
      description: 'Notes can be saved and found. They must be deleted too.',
    }));
    const files = { ...FILES, '.gitlab/planwright.yml': `piece: ${piece}\nlanguage: en\n` };
    const body = { path: projectPath, files, members: MEMBERS, issues };
    const made = await fetch(`${sandbox.url}/_sandbox/projects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (made.status !== 201) throw new Error(`The project was not made: ${await made.text()}`);
    const { id } = (await made.json()) as { id: number };
    await ensureHook(maria, id, { url: `${post.url}/webhooks/gitlab`, token: null, signingToken });
    for (const issue of sandbox.state.project(id).issues)
      items.push({ id: issue.id, projectId: id, projectPath, iid: issue.iid, piece });
  }
  await maria.close();
  return items;
}
