import { describe, expect, test } from 'vitest';
import { resultLimit } from '../../../../src/app/agent/tool.ts';
import { TransientFailure } from '../../../../src/ports/failures.ts';
import { ask, gitlab, state } from '../../../helpers/agent-tools.ts';
import { discussion, issue, member, note, people, project } from '../../../helpers/fakes/strict-gitlab.ts';

describe('the item', () => {
  test('is read with its author, links and merge requests', async () => {
    const { value } = await ask(
      {
        gitlab: gitlab({
          linkedIssues: async () => [issue({ iid: 5, title: 'Later' })],
          relatedMergeRequests: async () => [
            {
              iid: 3,
              title: 'Try',
              state: 'opened',
              webUrl: 'https://gitlab.example.com/acme/sample/-/merge_requests/3',
            },
            {
              iid: 4,
              title: 'Elsewhere',
              state: 'opened',
              webUrl: 'https://gitlab.example.com/acme/secret/-/merge_requests/4',
            },
          ],
        }),
      },
      'item_read',
    );

    expect(value).toEqual({
      reference: 'acme/sample#2',
      title: 'Issue 2',
      description: 'Something is wanted.',
      labels: [],
      state: 'opened',
      type: 'issue',
      confidential: false,
      author: 'alice',
      assignees: [],
      createdAt: '2026-01-04T09:00:00.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
      dueDate: null,
      milestone: null,
      weight: null,
      parent: null,
      children: [],
      linked: [{ reference: 'acme/sample#5', title: 'Later', state: 'opened' }],
      mergeRequests: [{ reference: '!3', title: 'Try', state: 'opened' }],
    });
  });

  test('says who may read it, of what type it is, whose it is, when it is due and what else is set', async () => {
    const own = {
      milestone: 'February',
      weight: 3,
      confidential: true,
      type: 'incident',
      assigneeIds: [people.bob.id, 404, people.carol.id],
      dueDate: '2026-02-01',
    };

    const { value } = await ask({ gitlab: gitlab({ issue: async () => issue(own) }) }, 'item_read');

    expect(value).toMatchObject({
      confidential: true,
      type: 'incident',
      assignees: ['bob', 'carol'],
      dueDate: '2026-02-01',
      milestone: 'February',
      weight: 3,
    });
  });

  test.each([
    ['an open item of the project', {}, {}, true],
    ['a confidential one', { confidential: true }, {}, false],
    ['a confidential one of a confidential item', { confidential: true }, { confidential: true }, true],
    [
      'a confidential one of an item made confidential since',
      { confidential: true },
      { confidential: true },
      false,
      false,
    ],
    ['a confidential one of an item made public since', { confidential: true }, {}, false, true],
    ['one of a public project', { projectId: 7 }, {}, true],
    ['one of a private project', { projectId: 8 }, {}, false],
    ['a confidential one of a public project', { projectId: 7, confidential: true }, { confidential: true }, false],
    ['one of a project that cannot be seen', { projectId: 9 }, {}, false],
  ])('as a link, %s', async (_case, link, own, shown, began = 'confidential' in own) => {
    const { item } = state();
    const { value } = await ask(
      {
        state: state({ item: item && { ...item, confidential: began } }),
        gitlab: gitlab({
          issue: async () => issue(own),
          linkedIssues: async () => [issue({ iid: 5, ...link })],
          project: async (id) =>
            id === 9 ? null : project({ id: Number(id), visibility: id === 7 ? 'public' : 'private' }),
        }),
      },
      'item_read',
    );

    expect(value.linked).toHaveLength(shown ? 1 : 0);
  });

  test('an internal project is open to a private one and not to a public one', async () => {
    async function linkedFrom(visibility: 'private' | 'public'): Promise<unknown[]> {
      const source = gitlab({
        linkedIssues: async () => [issue({ iid: 5, projectId: 7 })],
        project: async (id) => (id === 7 ? project({ id: 7, visibility: 'internal' }) : project({ visibility })),
      });
      return (await ask({ gitlab: source }, 'item_read')).value.linked;
    }

    expect([(await linkedFrom('private')).length, (await linkedFrom('public')).length]).toEqual([1, 0]);
  });

  test('that is gone is said', async () => {
    const { value, isError } = await ask({ gitlab: gitlab({ issue: async () => null }) }, 'item_read');

    expect([isError, value.error.code]).toEqual([true, 'item_missing']);
  });

  test('no input selects another one', async () => {
    const { value, isError } = await ask({}, 'item_read', { iid: 7 });

    expect([isError, value.error.code]).toEqual([true, 'invalid_input']);
  });

  test('a failure of GitLab is told to the agent', async () => {
    const failing = gitlab({
      discussions: async () => {
        throw new TransientFailure('gitlab_unavailable', 'GitLab answered 503.');
      },
    });

    const { value, isError } = await ask({ gitlab: failing }, 'discussions_read');

    expect(isError).toBe(true);
    expect(value.error).toEqual({
      code: 'gitlab_unavailable',
      message: 'GitLab answered 503. It may work later; go on with what you have.',
    });
  });
});

describe('discussions', () => {
  test("hold people's notes only", async () => {
    const { value } = await ask(
      {
        gitlab: gitlab({
          discussions: async () => [
            discussion(
              'd1',
              note(people.alice, 'Please in CSV.', { id: 31 }),
              note(people.planwright, 'A question', { id: 32 }),
              note(people.carol, 'Me too.', { id: 33 }),
            ),
            discussion('d2', note(people.alice, 'changed the title', { id: 34, system: true })),
            discussion('d3', note(people.alice, 'Between us.', { id: 35, internal: true })),
          ],
        }),
      },
      'discussions_read',
    );

    expect(value.notes).toEqual([
      {
        id: 31,
        author: 'alice',
        role: 'Developer',
        createdAt: '2026-01-05T09:00:00.000Z',
        discussionId: 'd1',
        text: 'Please in CSV.',
      },
      expect.objectContaining({ id: 33, author: 'carol', role: null }),
    ]);
  });

  test('of bots count only where the operator allows them', async () => {
    const robot = { id: 70, username: 'robot', name: 'Robot', bot: true };
    const source = gitlab({ discussions: async () => [discussion('d1', note(robot, 'Build failed.'))] });

    const refused = await ask({ gitlab: source }, 'discussions_read');
    const allowed = await ask({ gitlab: source, allowedBots: [70] }, 'discussions_read');

    expect([refused.value.notes.length, allowed.value.notes.length]).toEqual([0, 1]);
  });

  test('of bots are known by their account, asked for once, since authors come without the mark', async () => {
    const robot = { id: 70, username: 'robot', name: 'Robot', bot: true };
    const asked: number[] = [];
    const unmarked = note({ ...robot, bot: false }, 'Build failed.');
    const source = gitlab({
      discussions: async () => [discussion('d1', unmarked, note(people.alice, 'Why?')), discussion('d2', unmarked)],
      user: async (id) => {
        asked.push(id);
        return id === robot.id ? robot : people.alice;
      },
    });

    const { value } = await ask({ gitlab: source }, 'discussions_read');

    expect(value.notes.map((each: { text: string }) => each.text)).toEqual(['Why?']);
    expect(asked.toSorted((a, b) => a - b)).toEqual([people.alice.id, robot.id]);
  });

  test('that are too long are cut at the end, with a notice', async () => {
    const notes = Array.from({ length: 40 }, (_, index) => note(people.alice, 'x'.repeat(3000), { id: index }));

    const { value, output } = await ask(
      { gitlab: gitlab({ discussions: async () => [discussion('d1', ...notes)] }) },
      'discussions_read',
    );

    expect(output.length).toBeLessThanOrEqual(resultLimit);
    expect(value.notes.length).toBeGreaterThan(15);
    expect(value.notice).toBe(
      `notes: ${value.notes.length} of 40 entries shown; narrow the call down, or give "from" where there is one, to see the rest.`,
    );
  });

  test('one note that is longer than a result is cut', async () => {
    const long = discussion('d1', note(people.alice, 'x'.repeat(100_000)));

    const { output, isError } = await ask({ gitlab: gitlab({ discussions: async () => [long] }) }, 'discussions_read');

    expect(isError).toBe(false);
    expect(output.length).toBeLessThanOrEqual(resultLimit);
  });

  test('what no store takes is replaced', async () => {
    const odd = discussion('d1', note(people.alice, 'a\0b\ud800c'));

    const { value } = await ask({ gitlab: gitlab({ discussions: async () => [odd] }) }, 'discussions_read');

    expect(value.notes[0].text).not.toMatch(/\0/);
    expect(value.notes[0].text.isWellFormed()).toBe(true);
  });
});

test('members are the active ones without the service', async () => {
  const source = gitlab({
    members: async () => [
      member(people.alice, 'Developer'),
      member(people.bob, 'Reporter', { active: false }),
      member(people.planwright, 'Developer'),
    ],
  });

  const { value } = await ask({ gitlab: source }, 'members_read');

  expect(value).toEqual({ members: [{ username: 'alice', role: 'Developer' }] });
});
