/** Rules: which items fit, and what holds a plan back (spec 2: `auto_plan`). */
import { describe, expect, test } from 'vitest';
import { fits } from '../../../../src/app/delivery/by-rule.ts';
import { handleDelivery } from '../../../../src/app/delivery/inbox.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import { deliveryOf, inboxOf } from './inbox-desk.ts';

const item = { author: 'alice', type: 'test_case', labels: ['Needs plan', 'bug'] };
const opened = { opened: true, addedLabels: [] };
const labelled = (...addedLabels: string[]) => ({ opened: false, addedLabels });

test.each([
  ['all that it names', { author: 'Alice', type: 'test case', label: 'needs plan' }, opened, true],
  ['another author', { author: 'bob' }, opened, false],
  ['another type', { type: 'issue' }, opened, false],
  ['another label', { author: 'alice', label: 'feature' }, opened, false],
  ['its label was added just now', { label: 'needs plan' }, labelled('Needs plan'), true],
  ['another label was added just now', { label: 'needs plan' }, labelled('bug'), false],
  ['it names no label, and the item is not new', { author: 'alice' }, labelled('bug'), false],
  ['its label was added and is gone again', { label: 'gone' }, labelled('gone'), false],
])('fits or not: %s', (_name, rule, occasion, expected) => {
  expect(fits(rule, item, occasion)).toBe(expected);
});

function ruled(settings = 'auto_plan:\n  - { author: alice }\n', issue = {}, change = {}) {
  const desk = inboxOf(issue, change);
  desk.service.gitlab.world.files['.gitlab/planwright.yml'] = settings;
  return desk;
}
const opening = {
  object_kind: 'issue',
  user: { id: 11 },
  project: { id: 1 },
  object_attributes: { id: 501, iid: 1, action: 'open' },
};

describe('an item that was opened', () => {
  test('is planned in the name of its author, once', async () => {
    const { service, deps } = ruled();

    expect(await handleDelivery(deps, deliveryOf(opening, 'd1'))).toBe('rule: accepted');
    expect(await handleDelivery(deps, deliveryOf(opening, 'd2'))).toBe('ignored: planned before');

    expect(service.store.run('run-1').events[0]).toMatchObject({ startedBy: { username: 'alice', role: 'Developer' } });
    expect(service.inbox.state('d1')).toBe('done: plan');
  });

  test.each([
    ['vetoed', { labels: ['workplan-never'] }, 'ignored: vetoed'],
    ['closed again', { state: 'closed' }, 'ignored: no live run'],
    ['of a person who is gone', { authorId: 999 }, 'ignored: bot'],
    ['of the service itself', { authorId: 17 }, 'ignored: bot'],
  ] as const)('and is %s is not', async (_name, issue, result) => {
    // Were it not the service itself, this bot might.
    const change = { allowedBots: [17] };
    const { service, deps } = ruled(
      'auto_plan:\n  - { type: issue }\n',
      { ...issue, labels: [...('labels' in issue ? issue.labels : [])] },
      change,
    );

    expect(await handleDelivery(deps, deliveryOf(opening))).toBe(result);

    expect(service.store.data.runs.size).toBe(0);
  });

  test('by an author who may not plan is refused in the log only', async () => {
    const { service, deps } = ruled('auto_plan:\n  - { type: issue }\n', { authorId: 13 });

    expect(await handleDelivery(deps, deliveryOf(opening))).toBe('rule: refused: forbidden');

    expect(service.store.data.outbox).toEqual([]);
    expect(service.log.lines).toContainEqual(
      expect.objectContaining({ message: 'a rule asked for a plan and was refused' }),
    );
  });

  test.each([
    ['none are given', ''],
    ['they are in a file with an error', 'auto_plan: 3\n'],
    ['planning is off', 'enabled: false\nauto_plan:\n  - { author: alice }\n'],
  ])('without rules: %s', async (_name, settings) => {
    const { service, deps } = ruled(settings);

    expect(await handleDelivery(deps, deliveryOf(opening))).toBe('ignored: nothing to do');

    expect(service.store.data.runs.size).toBe(0);
  });

  test('in a project whose code the bot may not read is left alone', async () => {
    const rawFile = async () => {
      throw new PermanentFailure('gitlab_forbidden', '403');
    };
    const { deps } = ruled(undefined, {}, { gitlab: { rawFile } });

    expect(await handleDelivery(deps, deliveryOf(opening))).toBe('ignored: nothing to do');
  });
});

test('an item that is only edited asks no rule, and GitLab nothing more than the item', async () => {
  const rawFile = async () => {
    throw new Error('the settings were read');
  };
  const { deps } = ruled(undefined, {}, { gitlab: { rawFile } });
  const edited = { ...opening, object_attributes: { ...opening.object_attributes, action: 'update' } };

  expect(await handleDelivery(deps, deliveryOf(edited))).toBe('ignored: nothing to do');
});
