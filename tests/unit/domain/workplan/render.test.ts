import { describe, expect, test } from 'vitest';
import { MAX_NOTE_BYTES, renderWorkplan, type WorkplanNote } from '../../../../src/domain/workplan/render.ts';
import { HOSTILE } from '../../../helpers/hostile/corpus.ts';
import { effects } from '../../../helpers/hostile/oracle.ts';
import { plan, unit } from './plans.ts';

const NOTE: WorkplanNote = {
  plan: plan(),
  score: {
    value: 84,
    band: 'High',
    feedback: [{ text: 'Name the test.', blocking: true }],
    checks: [
      { code: 'no_cycle', ok: true, message: 'No cycle.' },
      { code: 'files_exist', ok: false, message: 'No such file.' },
    ],
  },
  scoreStatus: 'EVALUATED',
  language: 'en',
  starter: 'alice',
  provider: 'offline (rule-based)',
  commit: '0123456789abcdef0123456789abcdef01234567',
  revision: 2,
};

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

describe('the note', () => {
  const body = renderWorkplan(NOTE);

  test('has its sections in order', () => {
    const headings = [...body.matchAll(/^### (.*)$/gm)].map((heading) => heading[1]);
    expect(headings).toEqual(['Why', 'Context', 'How', 'What', 'Parallel work', 'Assumptions', 'Readiness: 84/100']);
  });

  test.each([
    ['the score in its first lines', '🟢 **Readiness 84/100 · High** · revision 2 · offline (rule-based) · `01234567`'],
    ['the goal', 'Export orders as CSV.'],
    ['requirements with their source', '| `R1` | Orders can be exported. | description, line 3 |'],
    ['a comment as source, linked', '| `R2` | The export is CSV. | [comment](#note_34) |'],
    [
      'findings as permalinks',
      '[`src/orders.ts:1–4`](https://gitlab.example.com/acme/sample/-/blob/abc/src/orders.ts#L1-4)',
    ],
    ['decisions, confirmed', '✅ Export in the background. *(confirmed, `background`)*'],
    ['risks', '- Large exports are slow.'],
    ['what is out of scope', '- PDF'],
    ['a unit', '#### `U2` Do U2 · Size S'],
    ['new files', '- **Files:** `src/csv.ts` (*new*)'],
    ['what a unit waits for', '- **Depends on:** `U1`, `U2`'],
    ['acceptance criteria', '**Acceptance criteria**\n\n- It works.'],
    ['how to verify', '**How to verify**\n\n- npm test'],
    ['the graph', '  u1 --> u3'],
    ['feedback', '🔴 **blocking:** Name the test.'],
    ['checks', 'Checks made by code: 1 of 2 hold'],
    ['a check that fails', '❌ `files_exist`: No such file.'],
    ['a check that holds by its name', '✅ `no_cycle`'],
  ])('shows %s', (_name, text) => {
    expect(body).toContain(text);
  });

  test('mentions the starter once', () => {
    expect(body.match(/@alice/g)).toHaveLength(1);
  });

  test('mentions nobody without a starter', () => {
    expect(renderWorkplan({ ...NOTE, starter: null })).not.toContain('@');
  });

  test('is in the language of the item', () => {
    const headings = [...renderWorkplan({ ...NOTE, language: 'ja' }).matchAll(/^### (.*)$/gm)].map(
      (heading) => heading[1],
    );
    expect(headings).toEqual([
      '目的（Why）',
      '背景（Context）',
      '方針（How）',
      '作業（What）',
      '並列作業',
      '前提',
      '準備度: 84/100',
    ]);
  });

  test('is the same for the same plan', () => {
    expect(renderWorkplan(NOTE)).toBe(body);
  });
});

test.each([
  ['NOT_EVALUATED', 'not scored'],
  ['EVALUATING', 'being scored'],
  ['FAILED', 'scoring failed'],
  ['CANCELED', 'scoring was canceled'],
] as const)('without a score it says why: %s', (scoreStatus, text) => {
  const body = renderWorkplan({ ...NOTE, score: null, scoreStatus });
  expect(body).toContain(text);
  expect(body).not.toContain('/100');
});

test.each([
  [80, 'High', '🟢'],
  [40, 'Medium', '🟡'],
  [20, 'Low', '🔴'],
] as const)('a score of %d is %s', (value, band, icon) => {
  expect(renderWorkplan({ ...NOTE, score: { value, band, feedback: [], checks: [] } })).toContain(
    `${icon} **Readiness ${value}/100 · ${band}**`,
  );
});

describe('parallel work', () => {
  test('is said, group by group', () => {
    const units = [
      unit('A', { parallelWith: ['B'] }),
      unit('B', { parallelWith: ['A'] }),
      unit('C', { dependsOn: ['A', 'B'] }),
    ];
    const body = renderWorkplan({ ...NOTE, plan: plan({ units }) });
    expect(body.match(/`A` ∥ `B`/g)).toHaveLength(1);
    expect(body).toContain('Step 1: `A`, `B`\n- Step 2: `C`');
  });

  test('is said in pairs: what runs beside one unit need not run beside another', () => {
    const units = [
      unit('A', { parallelWith: ['B', 'C'] }),
      unit('B', { parallelWith: ['A'] }),
      unit('C', { parallelWith: ['A'], dependsOn: ['B'] }),
    ];

    const body = renderWorkplan({ ...NOTE, plan: plan({ units }) });

    expect(body).toContain('- `A` ∥ `B`, `A` ∥ `C`\n');
    expect(body).not.toMatch(/`B` ∥ `C`|`C` ∥ `B`|`B` ∥ `A`/);
  });

  test('is denied where there is none', () => {
    expect(renderWorkplan(NOTE)).toContain('No units are said to be independent');
  });
});

describe('assumptions', () => {
  test('are the decisions nobody confirmed', () => {
    const body = renderWorkplan({
      ...NOTE,
      plan: plan({ decisions: [{ text: 'Keep the price.', questionId: 'price', confirmed: false }] }),
    });
    expect(body.slice(body.indexOf('### Assumptions'))).toContain('❔ Keep the price. *(not confirmed, `price`)*');
  });

  test('name open questions', () => {
    const body = renderWorkplan({ ...NOTE, plan: plan({ openQuestions: ['Who pays?'] }) });
    expect(body.slice(body.indexOf('### Assumptions'))).toContain('- Who pays?');
  });

  test('are said to be none', () => {
    expect(renderWorkplan(NOTE)).toContain('None: nothing was assumed.');
  });
});

describe('the graph', () => {
  test('a title cannot leave its node', () => {
    const body = renderWorkplan({
      ...NOTE,
      plan: plan({
        units: [unit('end', { title: '"] --> x; click a "javascript:1" `<b>` ```', covers: ['R1', 'R2'] })],
      }),
    });
    const graph = /```mermaid\n([\s\S]*?)\n```/.exec(body)?.[1] ?? '';
    expect(graph.split('\n')).toHaveLength(2);
    expect(graph).toMatch(/^ {2}u1\["[^"<>`[\]]*"\]$/m);
  });

  test('unknown dependencies draw nothing', () => {
    expect(renderWorkplan({ ...NOTE, plan: plan({ units: [unit('A', { dependsOn: ['Z'] })] }) })).not.toContain('-->');
  });
});

describe('findings', () => {
  const finding = { text: 'Here.', path: 'a.ts', startLine: 2, endLine: 2 };

  test('many are folded', () => {
    const body = renderWorkplan({ ...NOTE, plan: plan({ findings: Array.from({ length: 6 }, () => finding) }) });
    expect(body).toContain('<summary>Findings in the code (6)</summary>');
  });

  test.each(['javascript:alert(1)', 'ftp://x', 'https://x y'])('an address %j is no link', (url) => {
    expect(renderWorkplan({ ...NOTE, plan: plan({ findings: [{ ...finding, url }] }) })).toContain('— `a.ts:2`');
  });

  test('an address cannot leave its link', () => {
    const body = renderWorkplan({
      ...NOTE,
      plan: plan({ findings: [{ ...finding, url: 'https://x.example/a)![b](https://evil.example/c.png' }] }),
    });
    expect(body).toContain('(https://x.example/a%29!%5Bb%5D%28https://evil.example/c.png)');
  });
});

describe('texts of models cannot act', () => {
  const own =
    /^raw HTML: <\/?(?:details|summary)>|^raw HTML: <details>\n<summary>[^<]*<\/summary>\n$|^raw HTML: <\/details>\n?$/;
  test.each(HOSTILE)('$name', ({ text }) => {
    const line = text.replace(/[\r\n]+/g, ' ');
    const hostile = plan({
      goal: text,
      requirements: [{ id: 'R1', text, source: line }],
      findings: Array.from({ length: 7 }, () => ({
        text,
        path: line,
        startLine: 1,
        endLine: 1,
        url: `https://x.example/${line}`,
      })),
      decisions: [{ text, confirmed: false }],
      units: [
        unit('A', {
          title: line,
          why: text,
          files: [{ path: line, state: 'new' }],
          acceptance: [text],
          verify: [text],
        }),
      ],
      outOfScope: [text],
      risks: [text],
      openQuestions: [text],
    });
    const score = {
      value: 10,
      band: 'Low' as const,
      feedback: [{ text, blocking: false }],
      checks: [{ code: 'x', ok: false, message: text }],
    };
    const body = renderWorkplan({ ...NOTE, plan: hostile, score, starter: null, provider: text, commit: text });
    expect(effects(body).filter((effect) => !own.test(effect))).toEqual([]);
  });
});

describe('a plan that is too long', () => {
  const long = (units: number, length: number, char = 'x') =>
    plan({
      goal: char.repeat(4000),
      requirements: Array.from({ length: units }, (_, n) => ({
        id: `R${n}`,
        text: char.repeat(length),
        source: 'description',
      })),
      units: Array.from({ length: units }, (_, n) =>
        unit(`U${n}`, {
          title: `Unit ${n}`,
          why: char.repeat(length),
          acceptance: Array.from({ length: 20 }, () => char.repeat(500)),
        }),
      ),
    });

  test('has shortened texts, and says so', () => {
    const body = renderWorkplan({ ...NOTE, plan: long(30, 2000) });
    expect(bytes(body)).toBeLessThanOrEqual(MAX_NOTE_BYTES);
    expect(body).toContain('long texts and lists are shortened');
    expect(body).toContain('`U29` Unit 29');
  });

  test.each(['x', '日', '@', '<a'])('of %s at its very longest loses its end, and says so', (char) => {
    const body = renderWorkplan({ ...NOTE, plan: long(200, 2000 / char.length, char) });
    expect(bytes(body)).toBeLessThanOrEqual(MAX_NOTE_BYTES);
    expect(body).toMatch(/> ✂️ This note is cut to fit/);
    expect(body).toContain('Readiness: 84/100');
  });

  test('is not cut while it fits', () => {
    expect(renderWorkplan({ ...NOTE, plan: long(5, 500) })).not.toContain('✂️');
  });
});
