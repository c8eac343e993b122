/** Files that read like code, the same each time: names of a vocabulary in the forms of eight languages. */

const NOUNS =
  'invoice order refund customer payment shipment account ledger session token cart stock price coupon address contact report export import schedule reminder webhook queue worker cache index search filter page template locale theme upload image audit policy role permission member project issue label board milestone comment thread snapshot archive'.split(
    ' ',
  );
const VERBS =
  'create update remove list load store parse render validate settle cancel retry resolve merge split count publish notify schedule sync fetch apply check collect format'.split(
    ' ',
  );
const FOLDERS = 'api core billing web jobs admin search mail storage auth common plugins'.split(' ');

interface Language {
  ending: string;
  comment: string;
  definition(name: string, words: string): string;
}

const LANGUAGES: readonly Language[] = [
  {
    ending: 'ts',
    comment: '//',
    definition: (name, words) =>
      `export function ${name}(input: string): string {\n  const ${words} = load(input);\n  return render(${words});\n}\n`,
  },
  {
    ending: 'js',
    comment: '//',
    definition: (name, words) =>
      `function ${name}(input) {\n  const ${words} = load(input);\n  return render(${words});\n}\n`,
  },
  {
    ending: 'py',
    comment: '#',
    definition: (name, words) => `def ${name}(value):\n    ${words} = load(value)\n    return render(${words})\n`,
  },
  {
    ending: 'go',
    comment: '//',
    definition: (name, words) =>
      `func ${name}(input string) string {\n\t${words} := load(input)\n\treturn render(${words})\n}\n`,
  },
  {
    ending: 'rb',
    comment: '#',
    definition: (name, words) => `def ${name}(value)\n  ${words} = load(value)\n  render(${words})\nend\n`,
  },
  {
    ending: 'java',
    comment: '//',
    definition: (name, words) =>
      `  public static String ${name}(String input) {\n    String ${words} = load(input);\n    return render(${words});\n  }\n`,
  },
  {
    ending: 'rs',
    comment: '//',
    definition: (name, words) =>
      `pub fn ${name}(input: &str) -> String {\n    let ${words} = load(input);\n    render(${words})\n}\n`,
  },
  {
    ending: 'c',
    comment: '//',
    definition: (name, words) =>
      `static char *${name}(char *input)\n{\n  char *${words} = load(input);\n  return render(${words});\n}\n`,
  },
];

/** File number `number`: some 3 to 5 kB. */
export function generatedFile(number: number): { path: string; text: string } {
  const random = randomOf(number);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const language = LANGUAGES[number % LANGUAGES.length] ?? LANGUAGES[0];
  if (!language) throw new Error('There are no languages.');
  const [folder, noun] = [pick(FOLDERS), pick(NOUNS)];
  const parts: string[] = [`${language.comment} ${noun} ${pick(VERBS)} for ${pick(NOUNS)} number ${number}\n`];
  const count = 18 + Math.floor(random() * 12);
  for (let index = 0; index < count; index += 1) {
    const [verb, subject, other] = [pick(VERBS), pick(NOUNS), pick(NOUNS)];
    const name = `${verb}${subject[0]?.toUpperCase()}${subject.slice(1)}${Math.floor(random() * 150)}`;
    parts.push(`${language.comment} ${verb} the ${subject} of a ${other} when the ${pick(NOUNS)} is known\n`);
    parts.push(language.definition(name, `${subject}_${other}`));
  }
  return { path: `src/${folder}/${noun}/${pick(VERBS)}-${noun}-${number}.${language.ending}`, text: parts.join('\n') };
}

/** A small generator of numbers from 0 to 1 that starts from a number. */
function randomOf(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state / 4_294_967_296;
  };
}

const ISSUE = `Refunds of cancelled orders are booked twice

When an order is cancelled while its payment is still being settled, the ledger shows two refunds for the customer. Reproduced with
a coupon and two shipments. The worker that settles invoices seems to retry after the webhook was published already.

Expected: one refund. In the log:

    at settleInvoice17 (/srv/app/src/billing/invoice/settle-invoice-17.ts:12:3)
`;

export const QUERIES: readonly string[] = [
  'refund',
  'settle invoice',
  'settleInvoice17',
  'cancel order payment webhook',
  'publish notify queue worker',
  'parse_locale',
  'permission check for project members',
  'coupon price format',
  'upload image',
  'zeppelin',
  'src/billing/invoice/settle-invoice-17.ts',
  'audit policy role thread snapshot archive',
  ISSUE,
  ISSUE.replaceAll('refund', 'shipment').replaceAll('order', 'account'),
];
