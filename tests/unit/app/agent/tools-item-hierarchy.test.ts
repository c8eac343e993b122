import { describe, expect, test } from 'vitest';
import type { GitLabRelative } from '../../../../src/ports/gitlab.ts';
import { ask, gitlab, state } from '../../../helpers/agent-tools.ts';
import { issue, project } from '../../../helpers/fakes/strict-gitlab.ts';

describe('what stands above and below', () => {
  const relative = (more: Partial<GitLabRelative>): GitLabRelative => ({
    reference: 'acme/sample#8',
    title: 'Above',
    state: 'opened',
    type: 'issue',
    confidential: false,
    namespace: 'acme/sample',
    ...more,
  });
  const below = { reference: 'acme/sample#9', title: 'Below', type: 'task' };

  test('is told with reference, title, type and state', async () => {
    const asked: number[] = [];
    const source = gitlab({
      hierarchy: async (id) => {
        asked.push(id);
        return { parent: relative({}), children: [relative(below)], more: true };
      },
    });
    const { value } = await ask({ gitlab: source }, 'item_read');

    expect(asked).toEqual([102]);
    expect(value.parent).toEqual({ reference: 'acme/sample#8', title: 'Above', type: 'issue', state: 'opened' });
    expect(value.children).toEqual([{ ...below, state: 'opened' }]);
    expect(value.moreChildren).toBe(true);
  });

  test('is left out where GitLab cannot tell it', async () => {
    const { value, isError } = await ask({ gitlab: gitlab({ hierarchy: async () => null }) }, 'item_read');

    expect(isError).toBe(false);
    expect([value.parent, value.children]).toEqual([null, []]);
  });

  test.each([
    ['a confidential one', { confidential: true }, false, false],
    ['a confidential one of a confidential item', { confidential: true }, true, true],
    ['one of a public project', { namespace: 'acme/open' }, false, true],
    ['a confidential one of a public project', { namespace: 'acme/open', confidential: true }, true, false],
    ['one of a private project', { namespace: 'acme/closed' }, false, false],
    ['one of a group', { namespace: 'acme' }, false, false],
  ])('%s is shown to those alone who may read it', async (_case, more, confidential, shown) => {
    const { item } = state();
    const source = gitlab({
      issue: async () => issue({ confidential }),
      hierarchy: async () => ({ parent: relative(more), children: [relative(more)], more: false }),
      project: async (path) =>
        path === 'acme'
          ? null
          : project({ id: path === 1 ? 1 : 7, visibility: path === 'acme/open' ? 'public' : 'private' }),
    });

    const { value } = await ask(
      { state: state({ item: item && { ...item, confidential } }), gitlab: source },
      'item_read',
    );

    expect([value.parent !== null, value.children.length]).toEqual([shown, shown ? 1 : 0]);
  });
});
