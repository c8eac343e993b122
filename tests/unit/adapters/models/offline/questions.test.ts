import { describe, expect, test } from 'vitest';
import { alone, ask, drive, planned, RESEARCH, value } from './flow.ts';
import { Host } from './host.ts';
import { AMBIGUOUS, CLEAR, JAPANESE, LIBRARY, THIN } from './samples.ts';

describe('when the offline planner asks', () => {
  test('a clear item gets no question', async () => {
    const driven = await drive(new Host(CLEAR, LIBRARY), RESEARCH);

    expect(driven.produced?.kind).toBe('research');
    expect(driven.tag).toBe(0);
  });

  test('two amounts for one thing become options, the value in the code is not invented', async () => {
    const driven = await drive(new Host(AMBIGUOUS, LIBRARY), RESEARCH);

    const [first] = value(driven, 'questions').questions;
    expect(first?.options.map((option) => option.label)).toEqual(['28 days', '42 days']);
    expect(first?.why).toContain('line 1');
    expect(driven.tag).toBe(1);
  });

  test('the value that the code holds already is recommended', async () => {
    const files = { ...LIBRARY, 'library/loans.py': `COURSE_LOAN_DAYS = 42\n${LIBRARY['library/loans.py']}` };

    const { questions } = value(await drive(new Host(AMBIGUOUS, files), RESEARCH), 'questions');

    expect(questions[0]?.options.find((option) => option.recommended)?.label).toBe('42 days');
    expect(questions[0]?.recommendation).toContain('library/loans.py:1');
  });

  test('open points in one sentence become questions of their own, with roles from the code and the named alternatives', async () => {
    const { questions } = value(await drive(new Host(AMBIGUOUS, LIBRARY), RESEARCH), 'questions');

    expect(questions).toHaveLength(3);
    expect(questions[1]?.options.map((option) => option.label).join()).toContain('librarian');
    expect(questions[2]?.options.map((option) => option.label).join()).toMatch(/mail.*page/);
  });

  test('every question has two to four options and exactly one recommended', async () => {
    const { questions } = value(await drive(new Host(AMBIGUOUS, LIBRARY), RESEARCH), 'questions');

    for (const question of questions) {
      expect(question.options.length).toBeGreaterThanOrEqual(2);
      expect(question.options.length).toBeLessThanOrEqual(4);
      expect(question.options.filter((option) => option.recommended)).toHaveLength(1);
    }
  });

  test('ids do not change between rounds', async () => {
    const one = value(await drive(new Host(AMBIGUOUS, LIBRARY), RESEARCH), 'questions');
    const two = value(await drive(new Host(AMBIGUOUS, LIBRARY), RESEARCH), 'questions');

    expect(two.questions.map((question) => question.id)).toEqual(one.questions.map((question) => question.id));
  });

  test('what was asked is not asked again, answered or not', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    const { questions } = value(await drive(host, RESEARCH), 'questions');
    ask(host, questions, () => null);

    expect((await drive(host, RESEARCH)).produced?.kind).toBe('research');
  });

  test('what was asked in other words is not asked again', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    const { questions } = value(await drive(host, RESEARCH), 'questions');
    ask(
      host,
      questions.map((question, i) => ({ ...question, id: `other-${i}` })),
      () => 0,
    );

    expect((await drive(host, RESEARCH)).produced?.kind).toBe('research');
  });

  test('without people nothing is asked: recommendations become assumptions that nobody confirmed', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);

    const research = value(await drive(host, alone(RESEARCH)), 'research');
    const plan = await planned(host, {
      ...alone(RESEARCH),
      movement: 'plan',
      produces: ['questions', 'workplan', 'context_request'],
    });

    expect(research.assumptions.length).toBe(3);
    expect(plan.decisions.map((decision) => decision.confirmed)).toEqual([false, false, false]);
  });

  test('deleting data without a word on its fate is asked about, with the tables of the code', async () => {
    const files = { ...LIBRARY, 'migrations/001_loans.sql': 'create table loans (\n  id integer primary key\n);\n' };
    const item = {
      title: 'Remove old loans',
      description:
        '- A nightly job must delete all loans that ended more than a year ago.\n- The job must write how many it removed to the log.',
    };

    const { questions } = value(await drive(new Host(item, files), RESEARCH), 'questions');

    expect(questions).toHaveLength(1);
    expect(questions[0]?.why).toContain('loans');
    expect(questions[0]?.options.find((option) => option.recommended)?.label).toMatch(/keep the data/i);
  });

  test('an interface that changes under its users is asked about, unless the item says what happens to them', async () => {
    const wish =
      '- The endpoint `POST /loans/<id>/renew` must be renamed to `POST /renewals`.\n- The answer must hold the new due date of the loan.';
    const silent = await drive(new Host({ title: 'Rename the renew endpoint', description: wish }, LIBRARY), RESEARCH);
    const said = await drive(
      new Host(
        { title: 'Rename the renew endpoint', description: `${wish}\n- The old path must stay as a deprecated alias.` },
        LIBRARY,
      ),
      RESEARCH,
    );

    expect(value(silent, 'questions').questions[0]?.options[0]?.label).toMatch(/deprecated/);
    expect(said.produced?.kind).toBe('research');
  });

  test('"everyone" against "only" is a contradiction', async () => {
    const item = {
      title: 'Overdue list',
      description:
        '- Everyone must be able to open the overdue list of loans.\n- Only librarians may open the overdue list of loans.\n- The list must be sorted by due date.',
    };

    const { questions } = value(await drive(new Host(item, LIBRARY), RESEARCH), 'questions');

    expect(questions[0]?.options.find((option) => option.recommended)?.label).toMatch(/only librarians/i);
  });

  test('a Japanese item is asked about in Japanese', async () => {
    const { questions } = value(await drive(new Host(JAPANESE, LIBRARY), RESEARCH), 'questions');

    expect(questions).toHaveLength(1);
    expect(questions[0]?.question).toContain('ファイル名に日付を入れるかどうか');
    expect(questions[0]?.options.map((option) => option.label)).toEqual(['いいえ', 'はい']);
  });
});

describe('an item that says too little', () => {
  test('goes to the context gate with what is missing', async () => {
    const driven = await drive(new Host(THIN, LIBRARY), RESEARCH);

    expect(value(driven, 'context_request').missing.length).toBeGreaterThanOrEqual(2);
    expect(driven.tag).toBe(2);
  });

  test('an empty description is too thin', async () => {
    const driven = await drive(new Host({ title: 'Loans', description: '' }, LIBRARY), RESEARCH);

    expect(driven.produced?.kind).toBe('context_request');
  });

  test('goes on once the description was extended', async () => {
    const host = new Host(THIN, LIBRARY);
    await drive(host, RESEARCH);
    host.description = CLEAR.description;

    expect((await drive(host, RESEARCH)).produced?.kind).toBe('research');
  });

  test('a session that goes on reads the new description, not the one it read before', async () => {
    const host = new Host(THIN, LIBRARY);
    const before = await drive(host, RESEARCH);
    host.description = CLEAR.description;

    const after = await drive(host, { ...RESEARCH, history: before.messages });

    expect(
      value(after, 'research')
        .requirements.map((one) => one.text)
        .join(),
    ).toContain('due_soon');
  });
});
