/** The main job as a person lives it: ask for a plan, be asked, answer, continue, read the Workplan. */
import type { StatusAnswer } from '../../src/app/status.ts';
import type { Embedded } from '../embedded.ts';
import { createPerson, type Person } from './person.ts';
import { planInShort } from './plan-text.ts';
import type { Story } from './story.ts';
import { noteForTerminal, questionForTerminal } from './terminal.ts';

export interface JobResult
  extends Pick<StatusAnswer, 'generationStatus' | 'runId' | 'answers' | 'score' | 'noteUrls' | 'provider'> {
  statuses: string[];
  questions: StatusAnswer['questions'];
  workplan: StatusAnswer['workplan'] | null;
}

interface Note {
  id: number;
  body: string;
}

const PROJECT = 'acme/sample';
const POLL_MS = 25;
const LONGEST_MS = 55_000;
/** What alice adds where the service asks for more context. */
const MORE_CONTEXT = `

## Goal
People in the shop's back office should find an order by what they know of it, without waiting.

## Expected behaviour
- \`searchOrders\` in \`src/services/search-service.ts\` must also find orders by the customer's e-mail and by the parcel number.
- A hit that equals an order number must come first; other hits stay newest first.
- \`GET /search/orders\` must answer within 300 ms for a million orders, so the search needs an index.

## Acceptance criteria
- [ ] Searching for a parcel number finds its order.
- [ ] Searching for a whole order number lists that order first.
- [ ] \`docs/api.md\` says what is searched.

## Out of scope
- Spelling mistakes and synonyms.
`;

export interface Telling {
  story: Story;
  /** The whole note instead of the plan in short. */
  full: boolean;
}

/** Plans issue `iid` of the sample project and tells it. */
export async function runMainJob(
  embedded: Embedded,
  iid: number,
  { story, full }: Telling,
  signal: AbortSignal,
): Promise<JobResult> {
  const urls = { gitlab: embedded.sandbox.url, api: embedded.apiUrl };
  const alice = createPerson('alice', urls);
  const bob = createPerson('bob', urls);
  const statuses: string[] = [];
  const watch = (until: (status: StatusAnswer) => boolean) => poll(alice, iid, statuses, until, signal);

  await watch(() => true);
  const issue = await alice.gitlab<{ title: string }>('GET', `/projects/1/issues/${iid}`);
  story.step(`${PROJECT}#${iid} “${issue.title}”`);
  await alice.gitlab('POST', `/projects/1/issues/${iid}/notes`, { body: '/workplan plan' });
  story.step('alice comments /workplan plan, and may leave the page');
  story.waiting(`researching the item and the code (${embedded.infra.model.label})`);

  let status = await watch(settled);
  const rounds = 5;
  for (let round = 0; status.generationStatus === 'NEEDS_INPUT' && round < rounds; round += 1) {
    if (status.pause?.kind === 'context_gate') await giveContext(embedded, alice, iid, story, signal);
    else await answerQuestions(bob, alice, iid, story, embedded, statuses, signal);
    const pauseId = status.pause?.id;
    const continued = await alice.act(PROJECT, iid, 'continue', { pauseId });
    note(statuses, continued.generationStatus);
    story.step('alice continues');
    story.waiting('planning, reviewing, writing and scoring');
    status = await watch((now) => settled(now) && now.pause?.id !== pauseId);
  }
  const delivered = await untilDelivered(embedded, alice, iid, signal);
  await tellEnd(alice, iid, delivered, { story, full });
  return { ...delivered, statuses, workplan: delivered.workplan ?? null };
}

function settled(status: StatusAnswer): boolean {
  return status.generationStatus !== 'GENERATING' && status.generationStatus !== 'NOT_STARTED';
}

function note(statuses: string[], status: string): void {
  if (statuses.at(-1) !== status) statuses.push(status);
}

async function poll(
  person: Person,
  iid: number,
  statuses: string[],
  until: (status: StatusAnswer) => boolean,
  signal: AbortSignal,
): Promise<StatusAnswer> {
  const started = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const status = await person.status(PROJECT, iid);
    note(statuses, status.generationStatus);
    if (until(status)) return status;
    if (performance.now() - started > LONGEST_MS)
      throw new Error(`Nothing came of ${status.generationStatus} within ${LONGEST_MS / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function giveContext(
  embedded: Embedded,
  alice: Person,
  iid: number,
  story: Story,
  signal: AbortSignal,
): Promise<void> {
  await untilDelivered(embedded, alice, iid, signal);
  const { description } = await alice.gitlab<{ description: string }>('GET', `/projects/1/issues/${iid}`);
  const notes = await alice.gitlab<Note[]>('GET', `/projects/1/issues/${iid}/notes?sort=desc`);
  const request = notes.find((candidate) => candidate.body.includes('kind=gate'));
  if (request) story.block('planwright asks for more context', noteForTerminal(request.body));
  await alice.gitlab('PUT', `/projects/1/issues/${iid}`, { description: `${description}${MORE_CONTEXT}` });
  story.step('alice extends the description');
}

/** Waits until the question stands on the item, shows it, and has bob choose the recommended option of each. */
async function answerQuestions(
  bob: Person,
  alice: Person,
  iid: number,
  story: Story,
  embedded: Embedded,
  statuses: string[],
  signal: AbortSignal,
): Promise<void> {
  await embedded.sandbox.idle();
  const status = await poll(
    alice,
    iid,
    statuses,
    (now) => open(now).every((question) => question.noteUrl !== null),
    signal,
  );
  type Discussion = { id: string; notes: Note[] };
  const discussions = await bob.gitlab<Discussion[]>('GET', `/projects/1/issues/${iid}/discussions?per_page=100`);
  for (const question of open(status)) {
    const noteId = Number(question.noteUrl?.split('#note_')[1]);
    const discussion = discussions.find((candidate) => candidate.notes.some((reply) => reply.id === noteId));
    const asked = discussion?.notes.find((reply) => reply.id === noteId);
    if (!discussion || !asked) throw new Error(`The question ${question.id} is not on the item.`);
    story.block('planwright asks', questionForTerminal(asked.body));
    const recommended = question.options.findIndex((option) => option.recommended);
    const body = recommended < 0 ? question.recommendation : String(recommended + 1);
    await bob.gitlab('POST', `/projects/1/issues/${iid}/discussions/${discussion.id}/notes`, { body });
    story.step(`bob replies “${body}” (${question.options[recommended]?.label ?? question.recommendation})`);
  }
}

function open(status: StatusAnswer): StatusAnswer['questions'] {
  return status.questions.filter((question) => question.state === 'open');
}

/** What people see goes out by the outbox: the job is done when nothing waits there. */
async function untilDelivered(
  embedded: Embedded,
  alice: Person,
  iid: number,
  signal: AbortSignal,
): Promise<StatusAnswer> {
  const started = performance.now();
  while ((await embedded.infra.outbox.nextDueInMs()) !== null) {
    signal.throwIfAborted();
    if (performance.now() - started > LONGEST_MS) throw new Error('Notes still wait for their delivery.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return alice.status(PROJECT, iid);
}

async function tellEnd(alice: Person, iid: number, status: StatusAnswer, { story, full }: Telling): Promise<void> {
  const notes = await alice.gitlab<Note[]>('GET', `/projects/1/issues/${iid}/notes?sort=desc&per_page=100`);
  const plan = notes.find((candidate) => candidate.body.includes('kind=plan'));
  if (plan && full) story.block('the Workplan note', noteForTerminal(plan.body));
  else if (status.workplan) story.block('the Workplan, in short (all of it: -- --full)', planInShort(status.workplan));
  const score = status.score ? `, score ${status.score.value} (${status.score.band})` : '';
  const units = status.workplan ? `, ${status.workplan.units.length} units` : '';
  story.step(
    `${status.generationStatus}${units}${score}${status.reason ? `: ${status.reason} ${status.message ?? ''}` : ''} (${status.provider})`,
  );
}
