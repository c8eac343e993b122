import { describe, expect, test } from 'vitest';
import { ask, drive, PLAN, planned, RESEARCH, scored, value } from './flow.ts';
import { Host } from './host.ts';
import { AMBIGUOUS, CLEAR, LIBRARY, large, THIN } from './samples.ts';

describe('scores', () => {
  async function score(item: { title: string; description: string }): Promise<number> {
    const host = new Host(item, LIBRARY);
    const first = await drive(host, RESEARCH);
    if (first.produced?.kind === 'questions') ask(host, first.produced.value.questions, () => 0);
    await planned(host, { ...PLAN, produces: ['workplan'] });
    return scored(host);
  }

  test('clear is above ambiguous, ambiguous above thin', async () => {
    const [clear, ambiguous, thin] = [await score(CLEAR), await score(AMBIGUOUS), await score(THIN)];

    expect(clear).toBeGreaterThan(ambiguous);
    expect(ambiguous).toBeGreaterThan(thin);
  });

  test('an answered item is above the same one unanswered', async () => {
    const host = new Host(AMBIGUOUS, LIBRARY);
    ask(host, value(await drive(host, RESEARCH), 'questions').questions, () => null);
    await planned(host);

    expect(await scored(host)).toBeLessThan(await score(AMBIGUOUS));
  });

  test('a short item that can be planned is not called ready, however well its plan covers it', async () => {
    const short = {
      title: 'Tell members',
      description: 'Members should get a mail when a loan is due. It should be friendly.',
    };

    const value = await score(short);

    expect(value).toBeLessThan(80);
    expect(value).toBeGreaterThanOrEqual(40);
    expect(await score(CLEAR)).toBeGreaterThanOrEqual(80);
  });

  test('a fault that is reported without what is expected is not called ready', async () => {
    const report = { title: 'Crash when a loan has no member', description: '```\nAttributeError: renew_loan\n```' };

    const value = await score(report);

    expect(value).toBeLessThan(80);
    expect(value).toBeGreaterThanOrEqual(40);
  });

  test.each([CLEAR, AMBIGUOUS, large(3)])('removing any unit of "$title" lowers it', async (item) => {
    const host = new Host(item, LIBRARY);
    const first = await drive(host, RESEARCH);
    if (first.produced?.kind === 'questions') ask(host, first.produced.value.questions, () => 0);
    const plan = await planned(host);
    const whole = await scored(host);

    for (const unit of plan.units) {
      host.plan = { ...plan, units: plan.units.filter((one) => one !== unit) };
      expect(await scored(host), unit.id).toBeLessThan(whole);
    }
  });

  test('are the same for the same plan', async () => {
    expect(await score(CLEAR)).toBe(await score(CLEAR));
  });

  test('a finding on lines that are not there is a wrong claim', async () => {
    const host = new Host(CLEAR, LIBRARY);
    const plan = await planned(host);
    host.plan = {
      ...plan,
      findings: [{ text: '`lend` (function) lends.', path: 'library/loans.py', startLine: 900, endLine: 910 }],
    };

    await scored(host);

    expect(host.evaluations.falsifier?.defect).toBe('wrong_claim');
  });
});

describe('reviews', () => {
  const review = (movement: string) => ({ movement, produces: ['review' as const], rules: ['approved', 'needs_fix'] });

  test("approve the planner's own plan", async () => {
    const host = new Host(CLEAR, LIBRARY);
    await planned(host);

    expect((await drive(host, review('coverage'))).tag).toBe(0);
    expect((await drive(host, review('feasibility'))).tag).toBe(0);
  });

  test('send back a plan without a unit for a requirement', async () => {
    const host = new Host(CLEAR, LIBRARY);
    const plan = await planned(host);
    host.plan = { ...plan, units: plan.units.slice(1) };

    const driven = await drive(host, review('coverage'));

    expect(driven.tag).toBe(1);
    expect(value(driven, 'review').findings.some((finding) => finding.blocking)).toBe(true);
  });

  test('send back a file that does not exist and a new one that does', async () => {
    const host = new Host(CLEAR, LIBRARY);
    const plan = await planned(host);
    const [first, ...rest] = plan.units;
    if (first === undefined) throw new Error('no unit');
    host.plan = {
      ...plan,
      units: [
        {
          ...first,
          files: [
            { path: 'library/none.py', state: 'existing' },
            { path: 'README.md', state: 'new' },
          ],
        },
        ...rest,
      ],
    };

    const { findings } = value(await drive(host, review('feasibility')), 'review');

    expect(findings.map((finding) => finding.text).join()).toMatch(/none\.py[\s\S]*README\.md/);
  });

  test('say that there is no plan', async () => {
    const driven = await drive(new Host(CLEAR, LIBRARY), review('coverage'));

    expect(driven.tag).toBe(1);
  });
});

describe('an item that the code has never heard of', () => {
  test('is no high score: its places are guesses', async () => {
    const item = {
      title: 'Add dark mode',
      description:
        'Users want dark mode. It must follow the colour scheme of the browser, and a toggle in the header must override it.',
    };
    const host = new Host(item, LIBRARY);
    await planned(host);

    expect(await scored(host)).toBeLessThanOrEqual(55);
    expect(host.evaluations.falsifier?.defect).toBe('unverifiable');
  });
});
