import { describe, expect, test } from 'vitest';
import { act } from '../../../src/app/actions/act.ts';
import { countAnswered } from '../../../src/app/answered.ts';
import { requestOf } from './setup.ts';
import { waitingRun } from './waiting-desk.ts';

describe('the open-question counter', () => {
  test('an eligible reply answers the question, for all to see before Continue', async () => {
    const { service, deps, reply, shown, statusNotes } = await waitingRun();
    const { version } = service.store.run('run-a').row;
    reply('bob', '2');

    expect(await countAnswered(deps, 'run-a')).toBe('changed');

    expect(shown()).toBe('answered');
    expect(service.store.run('run-a').row).toMatchObject({ status: 'NEEDS_INPUT', version: version + 1 });
    expect(statusNotes().at(-1)).not.toContain('Open questions');
  });

  test.each([
    ['a Guest', 'carol', '2'],
    ['no member', 'erin', '2'],
    ['somebody who only quotes', 'bob', '> 2'],
    ['somebody who only gives a command', 'bob', '/workplan replan'],
  ] as const)('not one of %s', async (_name, username, text) => {
    const { deps, reply, shown } = await waitingRun();
    reply(username, text);

    expect(await countAnswered(deps, 'run-a')).toBe('unchanged');
    expect(shown()).toBeNull();
  });

  test('an answer taken back opens the question again', async () => {
    const { service, deps, reply, shown, statusNotes } = await waitingRun();
    const note = reply('bob', '2');
    await countAnswered(deps, 'run-a');
    await service.gitlab.deleteNote(1, 1, note.id);

    expect(await countAnswered(deps, 'run-a')).toBe('changed');
    expect(shown()).toBe('open');
    expect(statusNotes().at(-1)).toContain('Open questions: 1');
  });

  test('an edit into nothing that answers does too', async () => {
    const { service, deps, reply, shown } = await waitingRun();
    const note = reply('bob', '2');
    await countAnswered(deps, 'run-a');
    service.gitlab.edit('bob', 1, note.id, '> quoted');
    await countAnswered(deps, 'run-a');

    expect(shown()).toBe('open');
  });

  test('counted twice nothing changes', async () => {
    const { service, deps, reply } = await waitingRun();
    reply('bob', '2');
    await countAnswered(deps, 'run-a');
    const { seq } = service.store.run('run-a').row;

    expect(await countAnswered(deps, 'run-a')).toBe('unchanged');
    expect(service.store.run('run-a').row.seq).toBe(seq);
  });

  test('what was counted is read anew at Continue, and handed on only then', async () => {
    const { service, deps, reply } = await waitingRun();
    reply('bob', '2');
    await countAnswered(deps, 'run-a');

    expect(service.store.run('run-a').row.view).toMatchObject({ answers: [] });
    await act(service.deps, await requestOf(service, 'continue'));
    expect(service.store.run('run-a').row.view).toMatchObject({ questions: [{ state: 'answered' }] });
  });

  test('a run that does not wait costs no look at GitLab', async () => {
    const { service, deps, asked } = await waitingRun();
    await act(service.deps, await requestOf(service, 'continue'));

    expect(await countAnswered(deps, 'run-a')).toBe('waits not');
    expect(asked).toEqual([]);
  });

  test('what goes on while it is counted stands', async () => {
    const { service, deps, reply } = await waitingRun();
    reply('bob', '2');
    const { discussions } = deps.gitlab;
    deps.gitlab.discussions = async (...given) => {
      await act(service.deps, await requestOf(service, 'continue'));
      return discussions(...given);
    };

    expect(await countAnswered(deps, 'run-a')).toBe('passed');
    expect(service.store.run('run-a').row.status).toBe('GENERATING');
  });
});
