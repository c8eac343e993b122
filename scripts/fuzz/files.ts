/** Random and mutated piece files: pieces that are nearly right, pieces with one thing broken, and texts of no sense at all. */
import { MovementFile, PieceFile, RuleFile } from '../../src/domain/piece/schema.ts';
import { createRandom, type Random } from './random.ts';

const KEYS = [
  ...Object.keys(PieceFile.shape),
  ...Object.keys(MovementFile.shape),
  ...Object.keys(RuleFile.shape),
  ...[
    'workflow',
    'steps',
    'step',
    'persona',
    'instruction',
    'max_steps',
    'cycle',
    'threshold',
    'judge',
    '<<',
    '__proto__',
  ],
  ...['constructor', 'toString', '', '名前', 'имя', 'naem', 'rulez'],
];

const SCALARS = [
  ...[
    '1',
    '0',
    '-1',
    '1e999',
    '.nan',
    '.inf',
    '0x1F',
    '007',
    'true',
    'no',
    '~',
    'null',
    '""',
    "''",
    '2026-01-02',
    '!!binary x',
  ],
  ...[
    'COMPLETE',
    'ABORT',
    'loop_judge',
    'plan',
    'a b [c] {d}',
    '計画',
    'план 1',
    '😀',
    '"\\ud800"',
    '"\\0"',
    '"a\\nb"',
  ],
  ...[
    'all("approved")',
    'any(\'x\', "y")',
    'ai("こんにちは")',
    'all(',
    'all()',
    'ai("x" , )',
    'all(approved)',
    '"all(\\"a\\\\\\"b\\")"',
  ],
  ...[
    '../agents/a.md',
    '~/a.md',
    '../../etc/passwd',
    'C:\\\\x',
    'report.md',
    '{report:x.md} {task} {nope} {',
    '[STEP:0]',
  ],
  ...[
    '*a',
    '&a x',
    '!tag x',
    '| \n  text',
    '>-\n  folded',
    '@bad',
    '`bad',
    '%bad',
    '"open',
    "'open",
    'a: b: c',
    '- - -',
    '[1, {a: }',
  ],
  ...['x == 1 and (y in ["a"])', 'not', '10m', '5 s', '-3h'],
];

const CHARACTERS = [
  ...[
    ' ',
    '\n',
    '\t',
    ':',
    '-',
    '#',
    '&',
    '*',
    '!',
    '|',
    '>',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    '?',
    '%',
    '@',
    '`',
    '\\',
    '0',
    'a',
  ],
  ...['\0', '\r', '\u0085', '\u2028', '\ufeff', '\ud800', '\udc00', '\u202e', '😀', 'あ', 'ж', '\u0301'],
];

/** The n-th file of a seed. `samples` are real pieces that are mutated; without any, all files are made up. */
export function fuzzFile(seed: number, index: number, samples: readonly string[]): string {
  const random = createRandom((seed * 1_000_003 + index * 7919) >>> 0);
  const kind = random.below(10);
  if (kind < 5 && samples.length > 0) return mutate(random, random.pick(samples));
  if (kind < 9) return structured(random);
  return noise(random);
}

function mutate(random: Random, sample: string): string {
  let text = sample;
  const times = 1 + random.below(3);
  for (let time = 0; time < times; time += 1) text = mutateOnce(random, text);
  return text;
}

function mutateOnce(random: Random, text: string): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const place = random.below(text.length + 1);
  switch (random.below(10)) {
    case 0:
      return lines.toSpliced(at, 1 + random.below(4)).join('\n');
    case 1:
      return lines.toSpliced(at, 0, lines[random.below(lines.length)] ?? '').join('\n');
    case 2:
      return text.slice(0, place) + random.pick(CHARACTERS) + text.slice(place);
    case 3:
      return text.slice(0, place) + text.slice(place + 1 + random.below(20));
    case 4:
      return lines.with(at, `${' '.repeat(random.below(6))}${lines[at] ?? ''}`).join('\n');
    case 5:
      return lines.with(at, (lines[at] ?? '').replace(/[^:]*$/, ` ${random.pick(SCALARS)}`)).join('\n');
    case 6:
      return lines.with(at, (lines[at] ?? '').replace(/[A-Za-z_]+(?=:)/, random.pick(KEYS))).join('\n');
    case 7:
      return text.slice(0, place);
    case 8:
      return `${text}\n${text.slice(place, place + 400)}`;
    default:
      return `${text.slice(0, place)}${random
        .pick(['{', '[', '- ', '? ', '&a ', '*a ', '\t'])
        .repeat(1 + random.below(random.chance(0.02) ? 20_000 : 60))}${text.slice(place)}`;
  }
}

/** A document with the language's own keys at wrong and right places. */
function structured(random: Random): string {
  const head = random.chance(0.5) ? 'name: x\ninitial_movement: plan\nmax_iterations: 5\nmovements:\n' : '';
  return head === '' ? value(random, 0, '') : `${head}${list(random, 1, '  ')}`;
}

function value(random: Random, depth: number, indent: string): string {
  const kind = depth > 6 ? 0 : random.below(4);
  if (kind === 0) return `${indent}${random.pick(SCALARS)}\n`;
  return kind === 1 ? list(random, depth, indent) : map(random, depth, indent);
}

function list(random: Random, depth: number, indent: string): string {
  return Array.from(
    { length: 1 + random.below(4) },
    () => `${indent}-\n${value(random, depth + 1, `${indent}  `)}`,
  ).join('');
}

function map(random: Random, depth: number, indent: string): string {
  return Array.from({ length: 1 + random.below(6) }, () => {
    const key = random.pick(KEYS);
    if (random.chance(0.6)) return `${indent}${key}: ${random.pick(SCALARS)}\n`;
    return `${indent}${key}:\n${value(random, depth + 1, `${indent}  `)}`;
  }).join('');
}

function noise(random: Random): string {
  const length = random.below(random.chance(0.01) ? 200_000 : 400);
  return Array.from({ length }, () => random.pick(random.chance(0.1) ? SCALARS : CHARACTERS)).join('');
}
