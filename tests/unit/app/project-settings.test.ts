import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ProjectSettings, parseSettings, readSettings, SETTINGS_SAMPLE } from '../../../src/app/project-settings.ts';
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
    ['a key twice', 'enabled: true\nenabled: false\n', 'twice'],
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

describe('every key of the spec', () => {
  test('is read', () => {
    const read = parseSettings(`
auto_plan:
  - { author: '@alice', type: Incident }
  - { label: needs plan }
plan_target: description
budget:
  run: { tokens: 200000, money: 2.5, wall_time: 30m }
  day: { money: 20 }
max_live_runs: 2
models: { research: small-1, judge: judge-1 }
`);

    expect(read).toMatchObject({
      ok: true,
      settings: {
        auto_plan: [{ author: 'alice', type: 'incident' }, { label: 'needs plan' }],
        plan_target: 'description',
        budget: {
          run: { tokens: 200_000, money: 2.5, wallTimeMs: 1_800_000 },
          day: { tokens: null, money: 20, wallTimeMs: null },
        },
        max_live_runs: 2,
        models: { research: 'small-1', plan: null, judge: 'judge-1' },
      },
    });
  });

  test('has a default', () => {
    const read = parseSettings('');

    const nothing = { tokens: null, money: null, wallTimeMs: null };
    expect(read).toMatchObject({
      settings: {
        auto_plan: [],
        plan_target: 'note',
        budget: { run: nothing, day: nothing },
        max_live_runs: null,
        models: { research: null, plan: null, judge: null },
      },
    });
  });

  test.each([
    ['auto_plan: alice', '1:12 auto_plan: '],
    ['auto_plan:\n  - {}', '2:5 auto_plan.0: expected at least one of author, type and label'],
    ['auto_plan:\n  - { lable: x }', '2:7 auto_plan.0: unknown key `lable`; did you mean `label`?'],
    ['plan_target: wiki', '1:14 plan_target: '],
    ['budget: { run: { tokens: -1 } }', '1:26 budget.run.tokens: '],
    ['budget: { run: { wall_time: soon } }', 'budget.run.wall_time: expected a time such as 90s, 30m or 2h'],
    ['budget: { month: {} }', 'budget: unknown key `month`'],
    ['max_live_runs: 0', '1:16 max_live_runs: '],
    ['max_live_runs: 1.5', '1:16 max_live_runs: '],
    ['models: { plan: a b }', '1:17 models.plan: expected the name of a model'],
    ['models: { planer: x }', 'models: unknown key `planer`; did you mean `plan`?'],
    ['max_live_run: 2', 'the file: unknown key `max_live_run`; did you mean `max_live_runs`?'],
  ])('is refused with where and what was expected: %j', (text, part) => {
    expect(parseSettings(`${text}\n`)).toMatchObject({ ok: false, message: expect.stringContaining(part) });
  });
});

test.each([
  ['brackets', '['.repeat(10_000)],
  ['closed brackets', `roles: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['maps on one line', `a: ${'{a: '.repeat(10_000)}`],
  ['lists on one line', '- '.repeat(10_000)],
  ['indented maps', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
])('levels without end are refused, not a crash: %s', (_name, text) => {
  expect(parseSettings(text)).toMatchObject({ ok: false, message: expect.stringContaining('deep') });
});

test('what wants to be a prototype is an unknown key', () => {
  expect(parseSettings('__proto__: { enabled: false }\n')).toMatchObject({ ok: false });
});

describe('what people are shown', () => {
  const uncommented = SETTINGS_SAMPLE.replace(/^# (?=\w+:| {2})/gm, '');

  test.each([
    ['the sample', SETTINGS_SAMPLE],
    ['the sample with what is commented out', uncommented],
  ])('%s is valid', (_what, text) => {
    expect(parseSettings(text)).toMatchObject({ ok: true });
  });

  test('the sample says the defaults', () => {
    expect(parseSettings(SETTINGS_SAMPLE)).toEqual(parseSettings(''));
  });

  test('the example of docs/project-settings.md is valid and names every key', async () => {
    const text = await readFile(new URL('../../../docs/project-settings.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '';

    expect(parseSettings(example)).toMatchObject({ ok: true });
    for (const key of Object.keys(ProjectSettings.shape)) expect(example).toMatch(new RegExp(`^${key}:`, 'm'));
  });
});
