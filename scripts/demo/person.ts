/** A sandbox user who works with GitLab and with the service, over real HTTP. */
import type { StatusAnswer } from '../../src/app/status.ts';

export interface Person {
  username: string;
  /** GitLab's REST API (`/api/v4` is put before). */
  gitlab<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T>;
  status(project: string, iid: number): Promise<StatusAnswer>;
  act(
    project: string,
    iid: number,
    action: string,
    body?: unknown,
  ): Promise<{ generationStatus: string; runId: string }>;
}

export function createPerson(username: string, urls: { gitlab: string; api: string }): Person {
  const headers = { 'private-token': `sandbox-${username}`, 'content-type': 'application/json' };

  async function call<T>(method: string, url: string, body?: unknown): Promise<T> {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url} as ${username}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  const item = (project: string, iid: number) =>
    `${urls.api}/api/v1/projects/${encodeURIComponent(project)}/issues/${iid}/workplan`;
  return {
    username,
    gitlab: (method, path, body) => call(method, `${urls.gitlab}/api/v4${path}`, body),
    status: (project, iid) => call('GET', item(project, iid)),
    act: (project, iid, action, body) => call('POST', `${item(project, iid)}/${action}`, body ?? {}),
  };
}
