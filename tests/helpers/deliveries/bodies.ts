/** GitLab's payload examples, changed in their structure or their bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Random } from './random.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/gitlab/webhooks/', import.meta.url));

export interface Example {
  name: string;
  text: string;
}

export const EXAMPLES: readonly Example[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .toSorted()
  .map((name) => ({ name, text: readFileSync(FOLDER + name, 'utf8') }));

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_992,
  '',
  '0',
  'null',
  '/workplan plan',
  '@planwright plan',
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  "'; drop table inbox; --",
  '../../../etc/passwd',
  'x'.repeat(5000),
  [],
  {},
  [[]],
  [null],
  { id: {} },
  { id: null, iid: '3' },
  'note',
  'issue',
  'constructor',
];

/** Names that mean something to JavaScript, to the service, or to nobody. */
const ODD_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'toJSON',
  'object_kind',
  'object_attributes',
  'project_id',
  '',
];

/** One body: an example, changed once to a few times, as bytes. */
export function bodyOf(random: Random): Buffer {
  const example = random.pick(EXAMPLES).text;
  const how = random.below(10);
  if (how === 0) return Buffer.from(example);
  if (how <= 4) return changedBytes(Buffer.from(example), random);
  const changed = changedValues(JSON.parse(example) as Json, random);
  const text = how === 9 ? oddSpelling(changed, random) : JSON.stringify(changed);
  const bytes = Buffer.from(text);
  return random.oneIn(6) ? changedBytes(bytes, random) : bytes;
}

function changedBytes(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let times = 1 + random.below(4); times > 0; times -= 1) changed = changedOnce(changed, random);
  return changed;
}

function changedOnce(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const until = Math.min(bytes.length, at + 1 + random.below(64));
  const before = bytes.subarray(0, at);
  const any = (): Buffer => Buffer.from([random.below(256)]);
  switch (random.below(9)) {
    case 0:
      return Buffer.concat([before, any(), bytes.subarray(at + 1)]);
    case 1:
      return Buffer.concat([before, any(), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([before, bytes.subarray(until)]);
    case 3:
      return before;
    case 4:
      return Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]);
    case 5:
      return Buffer.concat([before, Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x00]), bytes.subarray(at)]);
    case 6:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 7:
      return Buffer.concat([
        before,
        Buffer.from(random.pick(['{', '}', '[', ']', '"', ',', '\\', '\n'])),
        bytes.subarray(at),
      ]);
    default:
      return Buffer.concat([bytes, Buffer.from(random.pick([' ', '\0', '{}', '\n\n', '"']))]);
  }
}

function changedValues(value: Json, random: Random): Json {
  let changed = value;
  for (let times = 1 + random.below(5); times > 0; times -= 1) changed = changedInside(changed, random, 0);
  return changed;
}

/** Goes down by chance, mostly to what the service reads, and changes one place. */
function changedInside(value: Json, random: Random, depth: number): Json {
  if (typeof value !== 'object' || value === null || (depth > 0 && random.oneIn(4))) return oddValue(value, random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.oneIn(4)) return [...value, random.pick(ODD_VALUES)];
    const index = random.below(value.length);
    return value.map((item, at) => (at === index ? changedInside(item, random, depth + 1) : item));
  }
  const names = Object.keys(value);
  if (names.length === 0) return { id: random.pick(ODD_VALUES) };
  const name = random.pick(names);
  const { [name]: inner = null, ...rest } = value;
  switch (random.below(8)) {
    case 0:
      return rest;
    case 1:
      return { ...rest, [random.pick(ODD_NAMES)]: inner };
    case 2:
      return { ...value, [random.pick(ODD_NAMES)]: random.pick(ODD_VALUES) };
    case 3:
      return { ...value, [name]: value[random.pick(names)] ?? null };
    default:
      return { ...value, [name]: changedInside(inner, random, depth + 1) };
  }
}

function oddValue(value: Json, random: Random): Json {
  if (random.oneIn(3)) return random.pick(ODD_VALUES);
  if (typeof value === 'number') return random.pick([-value, value + 1, value * 1e15, value / 3, String(value)]);
  if (typeof value === 'string')
    return random.pick([value.repeat(1 + random.below(50)), value.toUpperCase(), `${value}\u0000`]);
  if (random.oneIn(20)) return nested(random.below(2000));
  return random.pick(ODD_VALUES);
}

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Valid JSON as others write it: names twice, escapes, blanks, huge numbers. */
function oddSpelling(value: Json, random: Random): string {
  const text = JSON.stringify(value, null, random.below(3));
  return random.pick([
    `  ${text}\r\n`,
    text.replace('"object_kind":', '"object_kind":"push","object_kind":'),
    text.replace(/"id":(\s*)\d+/, '"id":$11e999'),
    text.replaceAll('o', '\\u006f'),
    text.replace('{', '{"__proto__":{"object_kind":"note"},'),
    `[${text}]`,
    text.replace(/\d+/, '00012'),
  ]);
}
