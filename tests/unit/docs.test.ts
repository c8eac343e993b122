/** What the documentation names must exist: files, commands, codes, settings, routes. Examples of the piece language have a test of their own. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Settings } from '../../src/config.ts';
import { ACTIONS } from '../../src/domain/workplan/commands.ts';
import { statusOfRefusal } from '../../src/http/problem.ts';
import { GenerationStatus, ProblemDocument, Status } from '../../src/http/schemas.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', 'sandbox/README.md', ...globSync('docs/*.md', { cwd: root })];

function matches(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

/** Inline code and code blocks: where commands, files and settings stand. JSON speaks of a sample project's files. */
function codeOf(text: string): string {
  return matches(text.replace(/```json[\s\S]*?```/g, ''), /(```[\s\S]*?```|`[^`\n]+`)/g).join('\n');
}

describe.each(pages)('%s', (page) => {
  const text = read(page);
  const code = codeOf(text);

  test('links lead to files that exist', () => {
    const links = matches(text.replace(/```[\s\S]*?```/g, ''), /\]\((?!https?:|#|mailto:)([^)\s#]+)/g);

    expect(links.filter((link) => !existsSync(path.join(root, path.dirname(page), link)))).toEqual([]);
  });

  test('files named in code exist', () => {
    const named = matches(code, /(?<![\w./~-])((?:src|tests|workers|scripts|migrations|pieces|docs)\/[\w./*-]*\w)/g);

    expect(named.filter((file) => globSync(file, { cwd: root }).length === 0)).toEqual([]);
  });

  test('commands exist', () => {
    const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
    const commands = matches(read('src/cli.ts'), /^ {2}(\w+): async \(\) =>/gm);

    expect(commands).toContain('api');
    expect(matches(code, /npm run (?:-s )?([\w:-]+)/g).filter((name) => !scripts.includes(name))).toEqual([]);
    const called = matches(code, /(?:^|[`\s])(?:\.\/)?planwright ([a-z]+(?:\|[a-z]+)*)/gm).flatMap((name) =>
      name.split('|'),
    );
    expect(called.filter((name) => !commands.includes(name))).toEqual([]);
  });

  test('settings exist', () => {
    const named = matches(code, /(?<![\w$])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w(])/g);
    const known = [...Object.keys(Settings.shape), ...statuses(), ...OTHER_NAMES];

    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

/** Variables that are not the service's: of the client, of Node, of the compose file, and words in place of a value. */
const OTHER_NAMES = [
  'PLANWRIGHT_URL',
  'PLANWRIGHT_TOKEN',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'HTTPS_PROXY',
  'POSTGRES_PASSWORD',
  'ISSUE_URL',
  'RUN_ID',
  'MAINTAINERS_TOKEN',
  'YOUR_BOT',
  'YOUR_GITLAB_TOKEN',
];

function statuses(): string[] {
  return [...GenerationStatus.options, ...Status.shape.scoreStatus.options];
}

describe('the table of problems in docs/api.md', () => {
  const page = read('docs/api.md');
  const rows = [...page.matchAll(/^\| (\d{3}) \| ((?:`[a-z_]+`(?:, )?)+) \|/gm)].flatMap(([, status, codes = '']) =>
    matches(codes, /`([a-z_]+)`/g).map((code) => ({ status: Number(status), code })),
  );

  test('names every code that can be answered, and no other', () => {
    const answered = [...refusals(), ...ownProblems(), ...gitLabFailures(), 'store_unavailable'];

    expect([...new Set(rows.map((row) => row.code))].sort()).toEqual([...new Set(answered)].sort());
  });

  test('gives refusals the status that they are answered with', () => {
    const codes = refusals();

    const shown = rows.filter((row) => codes.includes(row.code));
    expect(shown.map(({ code }) => code).sort()).toEqual([...codes].sort());
    for (const { status, code } of shown) expect([code, statusOfRefusal(code as 'forbidden')]).toEqual([code, status]);
  });
});

function refusals(): string[] {
  const union = /export type RefusalCode =([\s\S]*?);/.exec(read('src/app/actions/types.ts'))?.[1] ?? '';
  return matches(union, /'([a-z_]+)'/g);
}

/** Problems that the HTTP edge makes itself. */
function ownProblems(): string[] {
  const edge = globSync('src/http/*.ts', { cwd: root }).map(read).join('\n');
  return matches(edge, /(?:Problem\(\s*\d{3},\s*|\[\d{3}, |^ {2}\d{3}: )'([a-z_]+)'/gm);
}

/** Failures of GitLab; those of its address and token keep the process from starting. */
function gitLabFailures(): string[] {
  const adapter = globSync('src/adapters/gitlab/*.ts', { cwd: root }).map(read).join('\n');
  const atStart = ['gitlab_url_invalid', 'gitlab_token_invalid'];
  return matches(adapter, /'(gitlab_[a-z_]+)'/g).filter((code) => !atStart.includes(code));
}

test('docs/api.md names every command that a comment can give, and no other', () => {
  const commands = matches(read('docs/api.md'), /`\/workplan\s([a-z]+)/g);

  expect(commands.sort()).toEqual([...ACTIONS].sort());
});

describe('the JSON examples of docs/api.md', () => {
  const examples = matches(read('docs/api.md'), /```json\n([\s\S]*?)```/g).map(
    (text) => JSON.parse(text) as Record<string, unknown>,
  );

  test('problems and a status are as the service answers them', () => {
    const problems = examples.filter((example) => 'code' in example);
    const states = examples.filter((example) => 'scoreStatus' in example);

    expect([problems.length, states.length]).toEqual([1, 1]);
    expect(problems.map((problem) => ProblemDocument.parse(problem))).toEqual(problems);
    expect(states.map((state) => Status.parse(state))).toEqual(states);
  });

  test('a question, an answer and a unit are as they stand in a status', () => {
    const { questions, answers, workplan } = Status.shape;
    const parts = [
      examples.filter((example) => 'options' in example).map((example) => questions.element.parse(example)),
      examples.filter((example) => 'questionId' in example).map((example) => answers.element.parse(example)),
      examples
        .filter((example) => 'dependsOn' in example)
        .map((example) => workplan.unwrap().shape.units.element.parse(example)),
    ];

    expect(parts.map((part) => part.length)).toEqual([1, 1, 1]);
    for (const part of parts.flat()) expect(examples).toContainEqual(part);
  });
});
