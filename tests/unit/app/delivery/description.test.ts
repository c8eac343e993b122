import { beforeEach, describe, expect, test } from 'vitest';
import { deliverOutbox } from '../../../../src/app/delivery/outbox.ts';
import { marker } from '../../../../src/domain/text/marker.ts';
import { PermanentFailure } from '../../../../src/ports/failures.ts';
import { deliverer, never, rowOf, write } from './outbox-desk.ts';

type Desk = Awaited<ReturnType<typeof deliverer>>;
let desk: Desk;

beforeEach(async () => {
  desk = await deliverer();
});

const planRow = (text = 'The plan.', more = {}) =>
  rowOf('plan', text, { marker: marker({ run: 'run-a', kind: 'plan', in: 'description' }), ...more });
const description = () => desk.service.gitlab.world.issues[0]?.description ?? '';
const deliver = () => deliverOutbox(desk.deps, never);
const notes = async () => (await desk.service.gitlab.notes(1, 1)).map((note) => note.body);

/** Does something right after the n-th time the deliverer has read the item. */
function afterRead(times: number, what: () => void): void {
  const { issue } = desk.deps.gitlab;
  let reads = 0;
  desk.deps.gitlab.issue = async (...given) => {
    const read = structuredClone(await issue(...given));
    reads += 1;
    if (reads === times) what();
    return read;
  };
}
const people = (text: string) => {
  const issue = desk.service.gitlab.world.issues[0];
  if (issue) issue.description = text;
};

test('the plan stands in the description and not in a note; the next revision takes its place', async () => {
  const before = description();
  await write(desk.service, planRow('First.'));
  await deliver();
  people(`${description()}\nBelow.`);
  await write(desk.service, planRow('Second.'));
  await deliver();

  expect(description().startsWith(before.trimEnd())).toBe(true);
  expect(description()).toContain('Second.');
  expect(description()).not.toContain('First.');
  expect(description().endsWith('\nBelow.')).toBe(true);
  expect(await notes()).toEqual([]);
});

test('the same row twice writes once', async () => {
  let writes = 0;
  const { updateDescription } = desk.deps.gitlab;
  desk.deps.gitlab.updateDescription = async (...given) => {
    writes += 1;
    await updateDescription(...given);
  };
  await write(desk.service, planRow());
  await deliver();
  await write(desk.service, planRow());
  await deliver();

  expect(writes).toBe(1);
});

test('what a person saves while the plan is put in is kept', async () => {
  await write(desk.service, planRow());
  afterRead(1, () => people('Written just now.'));
  await deliver();

  expect(description()).toMatch(/^Written just now\.\n\n/);
  expect(description()).toContain('The plan.');
});

test('an older text saved over the plan is followed by the plan once more', async () => {
  await write(desk.service, planRow());
  const { updateDescription } = desk.deps.gitlab;
  let first = true;
  desk.deps.gitlab.updateDescription = async (...given) => {
    await updateDescription(...given);
    if (first) people('An older text.');
    first = false;
  };
  await deliver();

  expect(description()).toMatch(/^An older text\.\n\n/);
  expect(description()).toContain('The plan.');
});

test('a description that never rests is tried again later', async () => {
  await write(desk.service, planRow());
  const { issue } = desk.deps.gitlab;
  let edits = 0;
  desk.deps.gitlab.issue = async (...given) => {
    edits += 1;
    people(`Edit ${edits}.`);
    return structuredClone(await issue(...given));
  };
  await deliver();

  expect(description()).not.toContain('The plan.');
  expect(await desk.service.outbox.nextDueInMs()).toBeGreaterThan(0);
});

describe('the plan stands in a note, with the reason,', () => {
  test('where a line of the description would act in the name of the service', async () => {
    people('Text\n/close\n');
    await write(desk.service, planRow());
    await deliver();

    expect(description()).toBe('Text\n/close\n');
    expect(await notes()).toEqual([
      expect.stringMatching(/^> The description could not take this plan.*\n\nThe plan\./),
    ]);
  });

  test('where the service may not edit the description', async () => {
    desk.deps.gitlab.updateDescription = async () => {
      throw new PermanentFailure('gitlab_forbidden', 'no');
    };
    await write(desk.service, planRow());
    await deliver();

    expect(await notes()).toHaveLength(1);
  });

  test('and stays there with its next revision', async () => {
    people('Text\n/close\n');
    await write(desk.service, planRow('First.'));
    await deliver();
    people('Text');
    await write(desk.service, planRow('Second.'));
    await deliver();

    expect(description()).toBe('Text');
    expect(await notes()).toEqual([expect.stringMatching(/^> The description could not take this plan.*\n\nSecond\./)]);
  });
});

test('where more people read the item than the code, the description says only that', async () => {
  desk.service.gitlab.world.project.visibility = 'public';
  desk.service.gitlab.world.project.repositoryAccess = 'private';
  await write(desk.service, planRow('src/secret.ts', { kept: 'Kept in the service.' }));
  await deliver();

  expect(description()).toContain('Kept in the service.');
  expect(description()).not.toContain('src/secret.ts');
});
