import { describe, expect, test } from 'vitest';
import { marker } from '../../../../src/domain/text/marker.ts';
import {
  renderEnd,
  renderGate,
  renderQuestion,
  renderRefusal,
  renderStatus,
} from '../../../../src/domain/workplan/notes.ts';
import { renderNotice, withNotices } from '../../../../src/domain/workplan/notices.ts';
import { parsePayload } from '../../../../src/domain/workplan/payload.ts';
import { Question } from '../../../../src/domain/workplan/schema.ts';
import { HOSTILE } from '../../../helpers/hostile/corpus.ts';
import { effects } from '../../../helpers/hostile/oracle.ts';
import { closed, open } from './plans.ts';

const NOTE = {
  language: 'en',
  mention: null,
  format: 'hidden',
  number: 1,
  total: 1,
  provider: 'offline (rule-based)',
} as const;

/** Effects but for what the service itself means to do: its hidden payload. */
function unwanted(body: string): string[] {
  return effects(body.replace(/^<!-- duo-question .* -->$/gm, '')).filter(
    (effect) => !/^raw HTML: <\/?sub>$/.test(effect),
  );
}

test('a run cancelled while it was scored says the same as its Workplan note: the plan stays', () => {
  const canceled = { status: 'CANCELED', reason: 'canceled', language: 'en', provider: 'offline' } as const;

  expect(renderStatus({ ...canceled, scoreStatus: 'CANCELED' })).toContain('the Workplan stays, without a score');
  expect(renderStatus({ ...canceled, scoreStatus: 'NOT_EVALUATED' })).not.toContain('Workplan stays');
});

describe('a question note', () => {
  const body = renderQuestion({ ...NOTE, question: closed(), mention: 'alice', number: 1, total: 3 });

  test.each([
    ['the question', 'Question 1 of 3: Which format?'],
    ['who is asked', '@alice'],
    ['why', 'It decides the library.'],
    ['the recommended option, marked', '1. **CSV file** ⭐ *recommended*'],
    ['its description', 'Plain text.'],
    ['the other options', '2. Excel\n3. JSON'],
    ['the reason', 'Every tool reads it.'],
    ['how to answer', '👍'],
    ['how to go on', '`/workplan continue`'],
    ['who asks', 'offline (rule-based)'],
  ])('says %s', (_name, text) => {
    expect(body).toContain(text);
  });

  test('mentions the person once', () => {
    expect(body.match(/@alice/g)).toHaveLength(1);
  });

  test('of several only one that is given a person mentions', () => {
    expect(renderQuestion({ ...NOTE, question: closed() })).not.toContain('@');
  });

  test('an open one shows the proposed answer', () => {
    expect(renderQuestion({ ...NOTE, question: open() })).toContain('**Proposed answer:**\n\n10,000 rows.');
  });

  test('speaks Japanese', () => {
    const japanese = renderQuestion({ ...NOTE, question: closed(), language: 'ja', total: 2 });
    expect(japanese).toContain('質問 1 / 2');
    expect(japanese).toContain('なぜ重要か');
  });
});

describe('the payload', () => {
  test.each(['hidden', 'duo'] as const)('of format %s reads back as it was', (format) => {
    for (const question of [closed(), open(), closed({ multiple: true })]) {
      const body = renderQuestion({ ...NOTE, question, format });
      expect(parsePayload(`${body}\n\n${marker({ run: 'a' })}`)).toEqual(question);
    }
  });

  test.each(['hidden', 'duo'] as const)('of format %s cannot be broken by its texts', (format) => {
    const evil = '--> `````` </details> @all <!-- x --> $x$ ```json:duo-question {} Closes #1 \u2028 \u200b';
    const question = closed({ question: evil, why: `${evil}\n/close\n\`\`\`\n/close`, recommendation: evil });
    const body = renderQuestion({ ...NOTE, question, format });
    expect(parsePayload(body)).toEqual(Question.parse(question));
    const payload = body.slice(body.search(/^(?:<!-- duo-question|```json)/m));
    expect(payload.match(/-->/g)?.length ?? 0).toBe(format === 'hidden' ? 1 : 0);
    expect(payload).not.toMatch(/@|^\//m);
  });

  test('of format duo is the fence that GitLab draws', () => {
    expect(renderQuestion({ ...NOTE, question: closed(), format: 'duo' })).toMatch(
      /^```json:duo-question\n\{.*\}\n```$/m,
    );
  });

  test('is not shown by default', () => {
    expect(renderQuestion({ ...NOTE, question: closed() })).toMatch(/^<!-- duo-question \{.*\} -->$/m);
  });

  test.each([
    ['no payload', 'words'],
    ['a quoted one', renderQuestion({ ...NOTE, question: closed() }).replace(/^/gm, '> ')],
    ['broken JSON', '<!-- duo-question {"id": -->'],
    ['an invalid question', '<!-- duo-question {"id":"a"} -->'],
  ])('%s gives nothing', (_name, body) => {
    expect(parsePayload(body)).toBeNull();
  });
});

describe('texts of models and people cannot act', () => {
  test.each(HOSTILE)('$name', ({ text }) => {
    const line = text.replace(/[\r\n]+/g, ' ');
    const options = [
      { id: 'a', label: line, description: text, recommended: true },
      { id: 'b', label: 'b', recommended: false },
    ];
    const bodies = [
      renderQuestion({ ...NOTE, question: closed({ question: line, why: text, recommendation: text, options }) }),
      renderQuestion({ ...NOTE, question: open({ question: line, why: text, recommendation: text }) }),
      renderGate({ missing: [text], language: 'en', mention: null, provider: text }),
      renderStatus({
        status: 'FAILED',
        reason: text,
        message: text,
        language: 'en',
        provider: text,
        movement: text,
      }),
      withNotices('head', [renderNotice({ language: 'en', who: text, given: text, code: text, message: text })]),
      renderStatus({ status: 'GENERATING', language: 'en', provider: text, movement: text, iteration: 1 }),
      renderEnd({
        status: 'FAILED',
        reason: text,
        message: text,
        language: 'en',
        mention: text,
        by: text,
        provider: text,
      }),
      renderRefusal({ code: text, message: text, language: 'en' }),
    ];
    expect(bodies.flatMap(unwanted)).toEqual([]);
  });
});

describe('the status note', () => {
  const status = { language: 'en', provider: 'offline (rule-based)', movement: 'research', iteration: 2 };
  test.each([
    ['GENERATING', /Planning.*at `research`.*step 2[\s\S]*`\/workplan cancel`/],
    ['NEEDS_INPUT', /Waiting for input.*Open questions: 3[\s\S]*`\/workplan continue`/],
    ['COMPLETED', /Completed/],
    ['CANCELED', /Canceled/],
    ['FAILED', /Failed/],
  ])('%s', (value, pattern) => {
    expect(renderStatus({ ...status, status: value, openQuestions: 3 })).toMatch(pattern);
  });

  test.each([
    ['question', /Answer the questions in their threads, then comment `\/workplan continue`/],
    ['context_gate', /Extend the description as asked, then comment `\/workplan continue`/],
    ['approval', /Comment `\/workplan approve` to go on, or `\/workplan reject`/],
  ] as const)('at a pause of kind %s says what to do', (pause, hint) => {
    expect(renderStatus({ ...status, status: 'NEEDS_INPUT', pause })).toMatch(hint);
  });

  test.each(['調査', 'план', 'étape_2'])('names the movement %s in whatever script it is written', (movement) => {
    expect(renderStatus({ ...status, status: 'GENERATING', movement })).toContain(`at \`${movement}\``);
  });

  test('names the limit of steps where it is known', () => {
    expect(renderStatus({ ...status, status: 'GENERATING', maxIterations: 30 })).toContain('step 2 of at most 30');
  });

  test('links plan and timeline', () => {
    const body = renderStatus({
      ...status,
      status: 'COMPLETED',
      planUrl: 'https://gitlab.example.com/a/-/issues/1#note_2',
      pageUrl: 'https://plan.example.com/',
    });
    expect(body).toContain('[Workplan](https://gitlab.example.com/a/-/issues/1#note_2)');
    expect(body).toContain('[Timeline](https://plan.example.com/)');
  });

  test.each([
    [{ status: 'GENERATING' }, 'Or react to this note: ⏹️ `cancel`.'],
    [{ status: 'NEEDS_INPUT', pause: 'question' }, 'Or react to this note: ▶️ `continue`, ⏹️ `cancel`.'],
    [{ status: 'NEEDS_INPUT', pause: 'context_gate' }, 'Or react to this note: ▶️ `continue`, ⏹️ `cancel`.'],
    [{ status: 'NEEDS_INPUT', pause: 'approval' }, 'Or react to this note: ⏹️ `cancel`.'],
  ] as const)('says which reactions do something: %j', (change, hint) => {
    expect(renderStatus({ ...status, ...change })).toContain(hint);
  });

  test('asks for no reaction when nothing is at work', () => {
    expect(renderStatus({ ...status, status: 'COMPLETED' })).not.toContain('react');
  });

  test('refuses a status it does not know', () => {
    expect(() => renderStatus({ ...status, status: 'DONE' })).toThrow(/DONE/);
  });
});

describe('the gate', () => {
  const provider = 'offline (rule-based)';
  const body = renderGate({ missing: ['Which page?', 'Expected result'], language: 'en', mention: 'alice', provider });

  test('mentions, lists what is missing and says how to go on', () => {
    expect(body).toMatch(/@alice[\s\S]*- Which page\?\n- Expected result[\s\S]*`\/workplan continue`/);
  });

  test.each([[['Which page?']], [[]]])('with %j missing says who asks', (missing) => {
    expect(renderGate({ missing, language: 'en', mention: null, provider })).toContain(
      '<sub>Provider: offline (rule-based)</sub>',
    );
  });

  test('carries no payload', () => {
    expect(parsePayload(body)).toBeNull();
  });

  test('with nothing missing asks for approval', () => {
    expect(renderGate({ missing: [], language: 'en', mention: 'alice', provider })).toMatch(
      /Approval[\s\S]*`\/workplan approve`/,
    );
  });
});

test('the end says why, and by whom', () => {
  const body = renderEnd({
    status: 'canceled',
    reason: 'canceled_by_person',
    message: '',
    language: 'en',
    mention: 'alice',
    by: { username: 'maria' },
  });
  expect(body).toMatch(/Planning was canceled\.[\s\S]*By maria\. @alice[\s\S]*`canceled_by_person`/);
});

test('a refusal carries code and message', () => {
  expect(renderRefusal({ code: 'already_running', message: 'A run is on.', language: 'en' })).toMatch(
    /This could not be done.*`already_running`[\s\S]*A run is on\./,
  );
});

describe('reasons in Japanese', () => {
  test('of a refusal stand in Japanese alone where that says it all', () => {
    const body = renderRefusal({ code: 'already_running', message: 'A run is on.', language: 'ja' });
    expect(body).toMatch(/実行できませんでした.*`already_running`[\s\S]*すでに作成中です。$/);
  });

  test('keep the details that came with the code', () => {
    const body = renderRefusal({ code: 'forbidden', message: 'plan needs one of the roles Owner.', language: 'ja' });
    expect(body).toMatch(/権限がありません。[\s\S]*roles Owner\./);
  });

  test('of an end stand in the status note', () => {
    const body = renderStatus({ status: 'CANCELED', reason: 'item_closed', language: 'ja-JP', provider: 'x' });
    expect(body).toMatch(/`item_closed` — この項目はクローズされています/);
  });

  test('without a text of their own, and in languages without a table, are said as they came', () => {
    for (const [code, language] of [
      ['strange', 'ja'],
      ['forbidden', 'de'],
      ['constructor', 'ja'],
    ] as const)
      expect(renderRefusal({ code, message: 'As it came.', language })).toContain('As it came.');
  });
});
