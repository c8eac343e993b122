/** What people do in GitLab and in the service, over real HTTP, and what came of it where the answer does not say. */
import type { SandboxHandle } from '../../sandbox/server.ts';
import type { Item } from './items.ts';

export interface Answer {
  status: number;
  body: { runId?: string; code?: string };
}

const PATIENCE_MS = 8000;

/** An action over the API; status 0: no answer came, so it may have been taken or not. */
export async function act(
  apiUrl: string,
  person: string,
  item: Item,
  action: string,
  pauseId: string | null,
): Promise<Answer> {
  const path = `${encodeURIComponent(item.projectPath)}/issues/${item.iid}/workplan/${action}`;
  return post(`${apiUrl}/api/v1/projects/${path}`, person, pauseId === null ? {} : { pauseId });
}

/**
 * A comment, or a reply in a discussion; `text` stands in no other note. Whatever was answered, the note's id when it is stored, else null.
 */
export async function comment(
  sandbox: SandboxHandle,
  person: string,
  item: Item,
  text: string,
  discussionId: string | null,
): Promise<number | null> {
  const issue = `${sandbox.url}/api/v4/projects/${item.projectId}/issues/${item.iid}`;
  const url = discussionId === null ? `${issue}/notes` : `${issue}/discussions/${discussionId}/notes`;
  await post(url, person, { body: text });
  const { state } = sandbox;
  const author = state.userNamed(person).id;
  return state.notesOf(state.issue(item.id)).find((note) => note.authorId === author && note.body === text)?.id ?? null;
}

async function post(url: string, person: string, body: object): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'private-token': `sandbox-${person}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} };
  } catch {
    return { status: 0, body: {} };
  }
}
