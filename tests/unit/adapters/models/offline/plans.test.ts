import { describe, expect, test } from 'vitest';
import { ask, drive, PLAN, planned, RESEARCH, value } from './flow.ts';
import { Host } from './host.ts';
import { AMBIGUOUS, CLEAR, JAPANESE, LIBRARY, large } from './samples.ts';

/** `planned` throws when a check of the service fails, so each test below also shows that its plan passes them. */
describe('plans of a repository never seen', () => {
  test('have at least three units that depend on each other and name its files', async () => {
    const plan = await planned(new Host(CLEAR, LIBRARY));

    const paths = plan.units.flatMap((unit) => unit.files.map((file) => file.path));
    expect(plan.units.length).toBeGreaterThanOrEqual(3);
    expect(plan.units.some((unit) => unit.dependsOn.length > 0)).toBe(true);
    expect(paths).toEqual(expect.arrayContaining(['library/loans.py', 'library/mail.py', 'docs/loans.md']));
  });

  test('cite lines that hold what they name', async () => {
    const host = new Host(CLEAR, LIBRARY);
    const plan = await planned(host);

    expect(plan.findings.length).toBeGreaterThanOrEqual(3);
    for (const finding of plan.findings) {
      const lines = (LIBRARY[finding.path] ?? '').split('\n').slice(finding.startLine - 1, finding.endLine);
      const name = /^`(\w+)`/.exec(finding.text)?.[1];
      if (name !== undefined) expect(lines.join('\n')).toContain(name);
    }
  });

  test('say how this repository is tested', async () => {
    const plan = await planned(new Host(CLEAR, LIBRARY));

    expect(plan.units.flatMap((unit) => unit.verify).join('\n')).toContain('pytest');
    expect(plan.units.flatMap((unit) => unit.files)).toContainEqual({ path: 'tests/test_loans.py', state: 'existing' });
  });

  test('keep requirements with their line and note, and what is excluded out', async () => {
    const host = new Host(CLEAR, LIBRARY);
    host.notes = [
      {
        id: 34,
        author: 'bob',
        role: 'Reporter',
        discussionId: 'd1',
        text: 'The e-mail must name the title of the book.',
      },
    ];

    const plan = await planned(host);

    expect(plan.requirements.map((one) => one.source)).toEqual(expect.arrayContaining(['description#L3', 'note_34']));
    expect(plan.outOfScope).toEqual(['Reminders by SMS.']);
  });

  test('of a large item stay ordered and whole', async () => {
    const plan = await planned(new Host(large(6), LIBRARY));

    expect(plan.requirements.length).toBe(24);
    expect(plan.units.length).toBeGreaterThanOrEqual(4);
    expect(plan.units.length).toBeLessThanOrEqual(16);
  });

  test('of a Japanese item are in Japanese and find English code', async () => {
    const host = new Host(JAPANESE, LIBRARY);
    ask(host, value(await drive(host, RESEARCH), 'questions').questions, () => 1);

    const plan = await planned(host);

    expect(plan.requirements).toHaveLength(5);
    expect(plan.units[0]?.title).toMatch(/[ぁ-ん]/);
    expect(plan.units.flatMap((unit) => unit.files.map((file) => file.path))).toContain('library/loans.py');
    expect(plan.outOfScope).toEqual(['Excel 形式での出力。']);
  });

  test('are made without any repository, with the risk said', async () => {
    const plan = await planned(new Host(CLEAR, {}));

    expect(plan.findings).toEqual([]);
    expect(plan.risks.join()).toContain('No file could be tied');
  });

  test('number the next migration and write tests where the repository keeps them', async () => {
    const files = {
      'package.json': '{ "scripts": { "test": "vitest run", "lint": "biome check" } }',
      'migrations/007_tags.sql': 'create table tags (id integer);\n',
      'src/routes/tags.ts': "app.get('/tags', list);\n",
      'src/store/tag-store.ts': 'export function createTagStore() {\n  return {};\n}\n',
      'tests/tag-store.test.ts': "test('a', () => {});\n",
    };
    const item = {
      title: 'Create tags',
      description:
        '- `POST /tags` must create a tag with a name of at most 40 characters.\n- A name that exists must be answered with 409.\n- Tags must be listed by name.',
    };

    const plan = await planned(new Host(item, files));

    const made = plan.units.flatMap((unit) => unit.files).filter((file) => file.state === 'new');
    expect(made.map((file) => file.path)).toEqual(
      expect.arrayContaining(['migrations/008_create_tags.sql', 'tests/tags.test.ts']),
    );
    expect(plan.units.flatMap((unit) => unit.verify).join()).toContain('npm test');
  });

  test('parallel units neither share files nor wait for each other', async () => {
    const plan = await planned(new Host(large(3), LIBRARY));

    for (const unit of plan.units) {
      for (const id of unit.parallelWith) {
        const other = plan.units.find((one) => one.id === id);
        expect(other?.parallelWith).toContain(unit.id);
        expect(other?.files.some((file) => unit.files.some((own) => own.path === file.path))).toBe(false);
      }
    }
  });
});

describe('answers', () => {
  test('of people are confirmed decisions and stand in the units', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    const { questions } = value(await drive(host, RESEARCH), 'questions');
    ask(host, questions, () => 1);

    const plan = await planned(host);

    expect(plan.decisions.map((decision) => [decision.questionId, decision.confirmed])).toEqual(
      questions.map((question) => [question.id, true]),
    );
    expect(plan.units.flatMap((unit) => unit.acceptance).join('\n')).toContain(questions[1]?.options[1]?.label);
    expect(plan.openQuestions).toEqual([]);
  });

  test('settle a contradiction: the other value is gone from the requirements', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    ask(host, value(await drive(host, RESEARCH), 'questions').questions, () => 1);

    const texts = (await planned(host)).requirements
      .filter((one) => one.source.startsWith('description'))
      .map((one) => one.text);

    expect(texts.join()).toContain('42 days');
    expect(texts.join()).not.toContain('28 days');
  });

  test('that never came leave the recommendation, not confirmed, and the question open', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    const { questions } = value(await drive(host, RESEARCH), 'questions');
    ask(host, questions, () => null);

    const plan = await planned(host);

    expect(plan.decisions.map((decision) => decision.confirmed)).toEqual([false, false, false]);
    expect(plan.openQuestions).toHaveLength(3);
    expect(plan.decisions[0]?.text).toContain(questions[0]?.options.find((option) => option.recommended)?.label);
  });

  test('that take none of the options, without a word, are decisions too', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    ask(host, value(await drive(host, RESEARCH), 'questions').questions, () => null);
    for (const asked of host.asked) asked.answers = [{ by: 'bob', role: 'Reporter', optionIds: [], text: '' }];

    const plan = await planned(host);

    const decided = plan.decisions.filter((one) => one.confirmed);
    expect(decided.map((one) => one.questionId)).toEqual(host.asked.map((one) => one.question.id));
    expect(decided[0]?.text).toMatch(/none of the proposed options.*decided by bob/);
  });

  test('that contradict each other are followed by role and said', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    const [question] = value(await drive(host, RESEARCH), 'questions').questions;
    const [a, b] = question?.options ?? [];
    if (!question || !a || !b) throw new Error('no question to answer');
    host.asked.push({
      question,
      answers: [
        { by: 'bob', role: 'Reporter', optionIds: [a.id], text: '' },
        { by: 'maria', role: 'Maintainer', optionIds: [b.id], text: '' },
      ],
    });
    const plan = await planned(host, { ...PLAN, offered: [0, 2] });

    expect(plan.decisions[0]?.text).toContain(`${b.label} (decided by maria)`);
    expect(plan.risks.join()).toContain('contradict');
  });
});

describe('the forms in which people write', () => {
  async function requirements(description: string): Promise<string[]> {
    const plan = await planned(new Host({ title: 'Loans and members', description }, LIBRARY), {
      ...PLAN,
      produces: ['workplan'],
    });
    return plan.requirements.map((one) => one.text);
  }

  test.each([
    [
      'a checklist',
      '- [ ] Loans of members end after 30 days\n- [x] Members see their loans',
      ['Loans of members end after 30 days', 'Members see their loans'],
    ],
    [
      'a numbered list over several lines',
      '1. Loans must end\n   after 30 days.\n2. Members must see them.',
      ['Loans must end after 30 days.', 'Members must see them.'],
    ],
    [
      'sentences',
      'We lend books. Two were lost, because members see nothing but titles only. A loan must end after 30 days, e.g. on Monday.',
      ['A loan must end after 30 days, e.g. on Monday.'],
    ],
    [
      'a bug report',
      'Steps to reproduce:\n\n1. Open a loan\n2. Renew it\n\n**Expected:** the due date moves by 21 days\n**Actual:** error 500',
      ['Expected: the due date moves by 21 days'],
    ],
    [
      'the same twice',
      '- A loan must end after 30 days.\n- A loan must end after 30 days.\n- A member must see it.',
      ['A loan must end after 30 days.', 'A member must see it.'],
    ],
    [
      'scenarios',
      'Given a loan is due, when a day has passed, then the member gets a mail.\n\nGiven nothing is due, nothing happens.',
      [
        'Given a loan is due, when a day has passed, then the member gets a mail.',
        'Given nothing is due, nothing happens.',
      ],
    ],
    [
      'what holds afterwards',
      'Rename `renew_loan` to `extend_loan`. The old name is dropped. Today the name is shown wrongly.',
      ['Rename `renew_loan` to `extend_loan`.', 'The old name is dropped.'],
    ],
    [
      'labels in bold',
      '**Current behaviour**: loans end too late.\n\n**Expected behaviour**: a loan ends after 30 days. The member must be told.',
      ['Expected: a loan ends after 30 days.', 'The member must be told.'],
    ],
    [
      'Japanese bullets',
      '・貸出は 30 日で終了すること。\n・会員は貸出の一覧を表示できること。',
      ['貸出は 30 日で終了すること。', '会員は貸出の一覧を表示できること。'],
    ],
  ])('%s', async (_name, description, expected) => {
    expect(await requirements(description)).toEqual(expected);
  });

  test('a report of a fault that nobody wrote a wish for asks for its end', async () => {
    const title = 'Crash when a loan has no member';
    const description = 'It used to work.\n\n```\nAttributeError: renew_loan\n```';

    const plan = await planned(new Host({ title, description }, LIBRARY), {
      ...PLAN,
      produces: ['workplan', 'context_request'],
    });

    expect(plan.requirements).toEqual([{ id: 'R1', text: `This must no longer happen: ${title}.`, source: 'title' }]);
    expect(plan.units.map((unit) => unit.title)).toContain(`Fix: ${title}`);
    expect(plan.units[0]?.files.map((file) => file.path)).toContain('library/loans.py');
  });

  test('tests that are asked for are no unit of their own', async () => {
    const description = '- `renew_loan` must refuse a third renewal.\n- Please add tests for it.';

    const plan = await planned(new Host({ title: 'Renewals of loans', description }, LIBRARY), {
      ...PLAN,
      produces: ['workplan'],
    });

    expect(plan.units.filter((unit) => /tests/i.test(unit.title))).toEqual([]);
    expect(plan.units[0]?.covers).toEqual(['R1', 'R2']);
  });

  test('a command to the service is no requirement', async () => {
    const host = new Host(CLEAR, LIBRARY);
    host.notes = [{ id: 9, author: 'alice', role: 'Developer', discussionId: 'd', text: '/workplan plan' }];

    const plan = await planned(host);

    expect(plan.requirements.map((one) => one.source)).not.toContain('note_9');
  });
});
