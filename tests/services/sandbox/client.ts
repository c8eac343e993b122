import { startSandbox } from '../../../sandbox/server.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of many shapes and fail when a field is not there.
  body: any;
}

export interface TestSandbox {
  url: string;
  /** A call of the API as a sample user. */
  api(user: string, method: string, path: string, body?: unknown): Promise<Answer>;
  /** A call below `/_sandbox`. */
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  idle(): Promise<void>;
  close(): Promise<void>;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** A sandbox on a free port, and how to call it. `now`: its clock, the real one unless given. */
export async function openSandbox(options: { now?: () => Date } = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox(options);
  const call = async (path: string, method: string, headers: Record<string, string>, body: unknown) =>
    answerOf(
      await fetch(`${sandbox.url}${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
  return {
    url: sandbox.url,
    api: (user, method, path, body) => call(`/api/v4${path}`, method, { 'private-token': `sandbox-${user}` }, body),
    control: (method, path, body) => call(`/_sandbox${path}`, method, {}, body),
    idle: sandbox.idle,
    close: sandbox.close,
  };
}
