/** What stands above and below an item, over HTTP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../../sandbox/server.ts';
import { openAdapter } from '../../helpers/gitlab/adapter.ts';
import { json, startRawServer } from '../../helpers/gitlab/raw-server.ts';

describe('in the sandbox', () => {
  let sandbox: SandboxHandle;
  let opened: ReturnType<typeof openAdapter>;
  beforeEach(async () => {
    sandbox = await startSandbox();
    opened = openAdapter(sandbox.url);
  });
  afterEach(async () => {
    await opened.gitlab.close();
    await sandbox.close();
  });

  async function say(iid: number, body: string): Promise<void> {
    const maria = openAdapter(sandbox.url, { token: 'sandbox-maria' });
    await maria.gitlab.createNote(1, iid, `Done.\n\n${body}`).finally(() => maria.gitlab.close());
  }
  const idOf = async (iid: number): Promise<number> => (await opened.gitlab.issue(1, iid))?.id ?? 0;

  test('parent and children are read from both sides', async () => {
    await say(2, '/set_parent #1');
    await say(1, '/add_child #3 #4\n/confidential');

    const above = await opened.gitlab.hierarchy(await idOf(2));
    const below = await opened.gitlab.hierarchy(await idOf(1));

    expect(above).toMatchObject({
      parent: {
        reference: 'acme/sample#1',
        state: 'opened',
        type: 'issue',
        confidential: true,
        namespace: 'acme/sample',
      },
      children: [],
    });
    expect(below?.children.map(({ reference }) => reference)).toEqual([2, 3, 4].map((iid) => `acme/sample#${iid}`));
    expect([below?.parent, below?.more]).toEqual([null, false]);
  });

  test('nothing stands above itself, and what was taken away is gone', async () => {
    await say(1, '/add_child #2 #3');
    await say(1, '/set_parent #2');
    await say(1, '/remove_child #3');
    await say(2, '/remove_parent');

    expect(await opened.gitlab.hierarchy(await idOf(1))).toEqual({ parent: null, children: [], more: false });
  });

  test('an item that cannot be seen has none that could be known', async () => {
    expect(await opened.gitlab.hierarchy(999_999)).toBeNull();
  });
});

describe('of other answers', () => {
  async function askOf(status: number, body: object) {
    const server = await startRawServer((_request, response) => json(response, status, body));
    const { gitlab } = openAdapter(server.url);
    return gitlab.hierarchy(1).finally(async () => {
      await gitlab.close();
      await server.close();
    });
  }
  const child = { iid: '7', title: 'Below', state: 'CLOSED', namespace: { fullPath: 'acme/sample' } };

  test.each([
    ['there is no GraphQL', 404, {}],
    ['it is too old to know', 200, { errors: [{ message: "Field 'workItem' doesn't exist on type 'Query'" }] }],
    ['only a part is answered', 200, { data: { workItem: { widgets: [] } }, errors: [{ message: 'timeout' }] }],
  ])('nothing is known where %s', async (_name, status, body) => {
    expect(await askOf(status, body)).toBeNull();
  });

  test('what does not say whether it is confidential counts as it, and who sees not all is told', async () => {
    const children = { nodes: [child, null], pageInfo: { hasNextPage: true } };

    const answer = await askOf(200, { data: { workItem: { widgets: [{}, { parent: null, children }] } } });

    expect(answer).toEqual({
      parent: null,
      children: [
        {
          reference: 'acme/sample#7',
          title: 'Below',
          state: 'closed',
          type: 'issue',
          confidential: true,
          namespace: 'acme/sample',
        },
      ],
      more: true,
    });
  });

  test('an outage is no "nothing is known"', async () => {
    await expect(askOf(502, {})).rejects.toMatchObject({ code: 'gitlab_unavailable' });
  });

  test.each([502, 429])('a query changes nothing, so it is repeated as a read is after a %i', async (status) => {
    const server = await startRawServer((_request, response, nth) =>
      nth === 1 ? json(response, status, {}) : json(response, 200, { data: { workItem: { widgets: [] } } }),
    );
    const { gitlab } = openAdapter(server.url);

    const answer = await gitlab.hierarchy(1).finally(() => gitlab.close());

    expect(answer).toEqual({ parent: null, children: [], more: false });
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST']);
    await server.close();
  });
});
