import { describe, expect, test } from 'vitest';
import { parseSettings, readSettings } from '../../../src/app/project-settings.ts';
import { createService } from './setup.ts';

describe('the settings file', () => {
  test.each(['', '\n', '# nothing yet\n', '{}\n'])('%j means the defaults', (text) => {
    expect(parseSettings(text)).toMatchObject({
      ok: true,
      settings: {
        enabled: true,
        piece: 'workplan',
        interactive: true,
        question_format: 'hidden',
        language: 'auto',
        score: 'on',
        roles: { plan: ['Developer', 'Maintainer', 'Owner'], answer: null },
      },
    });
  });

  test('keeps the other roles where one list is given', () => {
    const read = parseSettings('roles:\n  answer: [Developer]\n');

    expect(read.ok && read.settings.roles).toEqual({
      plan: ['Developer', 'Maintainer', 'Owner'],
      continue: ['Planner', 'Reporter', 'Developer', 'Maintainer', 'Owner'],
      answer: ['Developer'],
    });
  });

  test.each([
    ['an unknown key', 'enabld: true\n', 'enabld'],
    ['a wrong value', 'score: maybe\n', 'score'],
    ['a role that GitLab does not have', 'roles:\n  plan: [Boss]\n', 'roles.plan'],
    ['an empty list', 'roles:\n  plan: []\n', 'roles.plan'],
    ['no YAML', 'a: [1\n', 'planwright.yml'],
    ['a key twice', 'enabled: true\nenabled: false\n', 'unique'],
    ['a list', '- a\n', 'planwright.yml'],
    ['far too much', `# ${'x'.repeat(70_000)}`, 'bytes'],
    [
      'aliases without end',
      `a: &a [x, x, x, x, x, x, x, x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n`,
      'planwright.yml',
    ],
  ])('with %s is refused and says where', (_name, text, part) => {
    expect(parseSettings(text)).toMatchObject({ ok: false, message: expect.stringContaining(part) });
  });
});

test('a project without the file, or without a repository, has the defaults', async () => {
  const { gitlab } = createService();
  const { project } = gitlab.world;

  expect((await readSettings(gitlab, project)).ok).toBe(true);
  gitlab.world.files['.gitlab/planwright.yml'] = 'enabled: false\n';
  expect(await readSettings(gitlab, project)).toMatchObject({ settings: { enabled: false } });
  expect(await readSettings(gitlab, { ...project, defaultBranch: null })).toMatchObject({
    settings: { enabled: true },
  });
});

test.each(['auto_plan: []', 'plan_target: description', 'budget: {}', 'max_live_runs: 2', 'models: { plan: x }'])(
  'a key of a later version is refused by a sentence of its own: %s',
  (text) => {
    const key = text.split(':')[0];

    expect(parseSettings(`${text}\n`)).toEqual({
      ok: false,
      message: `.gitlab/planwright.yml: ${key}: not in this version of the service; remove it`,
    });
  },
);
