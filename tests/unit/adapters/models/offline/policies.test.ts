import { describe, expect, test } from 'vitest';
import { drive, RESEARCH, value } from './flow.ts';
import { Host } from './host.ts';
import { LIBRARY } from './samples.ts';

const FILES = {
  ...LIBRARY,
  'library/plans.py': 'PLANS = ["free", "pro"]  # price plans, weakest first\n',
  'migrations/001_loans.sql': 'create table loans (\n  id integer primary key\n);\n',
};

/** What the item asks for, without a word on what the policy asks about. */
const WISHES = {
  access:
    '- The list of overdue loans in `library/views.py` must be exported as CSV by a link.\n- The file must hold book and due date of each loan.',
  destruction:
    '- A nightly job must delete all loans that ended more than a year ago.\n- The job must write how many loans it removed to the log.',
  breaking:
    '- The endpoint `POST /loans/<id>/renew` must be renamed to `POST /renewals`.\n- The answer must hold the new due date of the loan.',
  tier: '- Premium customers on paid plans must get two more renewals of a loan.\n- The page of the loan must show how many renewals are left.',
  scope:
    '- Due dates of loans must be shown in the format of the country in mails, pages etc. and in the order of the date.\n- The format must follow the settings of the member.',
} as const;
type Policy = keyof typeof WISHES;

async function asked(policy: Policy, more = ''): Promise<string[]> {
  const driven = await drive(
    new Host({ title: 'Work on loans of books', description: `${WISHES[policy]}\n${more}` }, FILES),
    RESEARCH,
  );
  return driven.produced?.kind === 'questions' ? value(driven, 'questions').questions.map((one) => one.question) : [];
}

test.each<[Policy, RegExp]>([
  ['access', /^Who may do this/],
  ['destruction', /^May this destroy data for good/],
  ['breaking', /^May this break those who use it today/],
  ['tier', /^Which plans include this/],
  ['scope', /^What exactly belongs to this/],
])('nothing said of %s is asked about, once', async (policy, question) => {
  expect(await asked(policy)).toEqual([expect.stringMatching(question)]);
});

describe('what the item answers is never asked', () => {
  test.each<[Policy, string]>([
    ['access', '- Only librarians may use it.'],
    ['access', 'Members must see their own loans only, librarians all.'],
    ['access', '- It needs the role librarian.'],
    ['access', '- Everyone may download it.'],
    ['access', 'The permissions stay as they are for the list.'],
    ['access', '- Admins can export; everybody else gets 403.'],
    ['access', 'Whoever may open the list may export it.'],
    ['access', '- Anyone who is signed in may do it.'],
    ['access', 'No new rights are needed for it.'],
    ['access', '- Nobody else than the author of the list may get the file.'],
    ['destruction', '- Deleted loans go to the archive first.'],
    ['destruction', 'They are deleted permanently; nobody needs them.'],
    ['destruction', '- It must be a soft delete.'],
    ['destruction', '- A loan that was deleted can be restored for 30 days.'],
    ['destruction', 'There is a backup of every night.'],
    ['destruction', '- Loans are only marked as deleted.'],
    ['destruction', 'There is no way back, and that is intended.'],
    ['destruction', '- The rows must be gone for good.'],
    ['destruction', '- `deleted_at` is set, the row stays.'],
    ['destruction', 'The retention period is one year by law.'],
    ['breaking', '- The old path must stay as a deprecated alias.'],
    ['breaking', 'This is a breaking change for v2, and that is fine.'],
    ['breaking', '- The old name is dropped.'],
    ['breaking', 'Nobody uses it outside of our own pages.'],
    ['breaking', '- Keep the old path for one release.'],
    ['breaking', 'Backwards compatibility is not needed.'],
    ['breaking', '- Requests to the old path get redirected, so it redirects to the new one.'],
    ['breaking', 'Replace it at once.'],
    ['breaking', '- Both names must work until spring.'],
    ['tier', '- It is for all plans.'],
    ['tier', 'Only the pro plan gets it.'],
    ['tier', '- Free members keep two renewals, business members get four.'],
    ['tier', 'Every paid plan includes it.'],
    ['tier', '- It is independent of the plan.'],
  ])('%s: %s', async (policy, answer) => {
    expect(await asked(policy, answer)).toEqual([]);
  });
});

test.each<[string, string]>([
  [
    'an abbreviation at the end of a sentence',
    'The page blocks scripts: javascript: etc. A loan must end after 30 days.',
  ],
  [
    'what the page does today',
    '**Current behaviour**: we are not sure about dates.\n\n**Expected behaviour**: a loan ends after 30 days.',
  ],
])('%s is no open point', async (_name, description) => {
  const driven = await drive(new Host({ title: 'Loans of members end in time', description }, FILES), {
    ...RESEARCH,
    produces: ['questions', 'research'],
  });
  expect(driven.produced?.kind).toBe('research');
});
