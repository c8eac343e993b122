/** What the people of one item do: ask for a plan, answer, press Continue from many sides, cancel, or walk away. */
import { setTimeout as delay } from 'node:timers/promises';
import { findMarkers } from '../../src/domain/text/marker.ts';
import type { Random } from '../fuzz/random.ts';
import { act, comment } from './client.ts';
import type { AcceptedAction, CommandNote, ReplyNote } from './history.ts';
import type { Item } from './items.ts';
import type { Observer, Seen } from './observer.ts';
import type { World } from './world.ts';

export interface Deeds {
  accepted: AcceptedAction[];
  commands: CommandNote[];
  replies: ReplyNote[];
  /** Presses of Continue, taken or not. */
  presses: number;
}

export interface Scene {
  world: World;
  observer: Observer;
  deeds: Deeds;
  item: Item;
  random: Random;
  signal: AbortSignal;
}

const MAY_PLAN = ['alice', 'maria'];
const MAY_CONTINUE = ['alice', 'bob', 'dave', 'maria'];
const POLL_MS = 25;
/** After so long without any effect people press again. */
const IMPATIENT_MS = 3000;
let words = 0;

/** Until the item's run has ended or is left waiting; rejects when the signal is aborted. */
export async function liveWith(scene: Scene): Promise<void> {
  const { observer, item, random } = scene;
  await askForPlan(scene);
  const leaves = random.chance(0.05);
  const cancels = random.chance(0.1) ? random.below(4000) : null;
  if (cancels !== null) await Promise.all([cancelAfter(scene, cancels), follow(scene, leaves)]);
  else await follow(scene, leaves);
  // Where nothing was asked, the item can be planned once more.
  const again = item.piece === 'direct' && observer.at(item.id)?.status === 'COMPLETED' && random.chance(0.3);
  if (!again) return;
  const before = observer.at(item.id)?.runId;
  await askForPlan(scene);
  await until(scene, (seen) => seen !== null && seen.runId !== before && isOver(seen));
}

function isOver(seen: Seen): boolean {
  return ['COMPLETED', 'CANCELED', 'FAILED'].includes(seen.status);
}

async function until(
  scene: Scene,
  wanted: (seen: Seen | null) => boolean,
  longestMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const started = performance.now();
  while (!wanted(scene.observer.at(scene.item.id))) {
    if (performance.now() - started > longestMs) return false;
    await delay(POLL_MS, undefined, { signal: scene.signal });
  }
  return true;
}

/** By HTTP from several at once, or by comment; again until there is a run. */
async function askForPlan(scene: Scene): Promise<void> {
  const { observer, item, random } = scene;
  const before = observer.at(item.id)?.runId;
  for (;;) {
    const byComment = random.chance(0.4);
    const times = random.chance(0.3) ? 3 : 1;
    if (byComment) await command(scene, random.pick(MAY_PLAN), 'plan');
    else await Promise.all(Array.from({ length: times }, () => press(scene, random.pick(MAY_PLAN), 'plan', null)));
    // A Guest may not; it is told so.
    if (random.chance(0.05)) await command(scene, 'carol', 'plan');
    if (await until(scene, (seen) => seen !== null && seen.runId !== before, IMPATIENT_MS)) return;
  }
}

/** Answers each pause of the run until it has ended. */
async function follow(scene: Scene, leaves: boolean): Promise<void> {
  const { item, observer } = scene;
  const handled = new Set<string>();
  const hurries = scene.random.chance(0.15);
  for (;;) {
    const seen = observer.at(item.id);
    if (seen && isOver(seen)) return;
    const pauseId = questionOnItem(scene, handled) ?? unseen(seen, hurries);
    if (pauseId !== null && !handled.has(pauseId)) {
      if (leaves) return;
      await answer(scene, pauseId);
      handled.add(pauseId);
    } else await delay(POLL_MS, undefined, { signal: scene.signal });
  }
}

/** A pause without a question, or one whose question nobody waits for. */
function unseen(seen: Seen | null, hurries: boolean): string | null {
  if (seen?.status !== 'NEEDS_INPUT') return null;
  return hurries || seen.pauseKind !== 'question' ? seen.pauseId : null;
}

interface Asked {
  pauseId: string;
  runId: string;
  questionId: string;
  discussionId: string;
}

/** Questions as people see them: of each marker the first note. */
function asked({ world, item }: Scene): Asked[] {
  const { state } = world.sandbox;
  const bot = state.userNamed('planwright').id;
  const found = new Map<string, Asked>();
  for (const note of state.notesOf(state.issue(item.id))) {
    const [fields] = note.authorId === bot ? findMarkers(note.body) : [];
    const { kind, run = '', pause = '', q = '' } = fields ?? {};
    if (kind !== 'question' || found.has(`${pause} ${q}`)) continue;
    found.set(`${pause} ${q}`, { pauseId: pause, runId: run, questionId: q, discussionId: note.discussionId });
  }
  return [...found.values()];
}

/** A question is answered as soon as it stands there, mostly before its delivery was recorded. */
function questionOnItem(scene: Scene, handled: ReadonlySet<string>): string | null {
  return asked(scene).find(({ pauseId }) => !handled.has(pauseId))?.pauseId ?? null;
}

async function answer(scene: Scene, pauseId: string): Promise<void> {
  const { random, signal, observer, item } = scene;
  if (random.chance(0.3)) await delay(random.below(600), undefined, { signal });
  // Nobody answers now and then: then the recommendation is assumed.
  const answers = random.chance(0.85);
  for (const question of answers ? asked(scene).filter((one) => one.pauseId === pauseId) : [])
    await reply(scene, question);
  const isPast = (seen: Seen | null) =>
    seen !== null && (isOver(seen) || (seen.pauseId !== pauseId && seen.status === 'NEEDS_INPUT'));
  const isTaken = (seen: Seen | null) => seen !== null && seen.pauseId !== pauseId && seen.status !== 'NEEDS_INPUT';
  do {
    await pressFromManySides(scene, pauseId);
    if (isPast(observer.at(item.id))) return;
  } while (!(await until(scene, (seen) => isPast(seen) || isTaken(seen), IMPATIENT_MS)));
}

async function reply(scene: Scene, question: Asked): Promise<void> {
  const { world, item, random, deeds } = scene;
  const { discussionId, ...about } = question;
  const said = [random.pick(MAY_CONTINUE), ...(random.chance(0.3) ? [random.pick(MAY_CONTINUE)] : [])];
  if (random.chance(0.15)) said.push('carol');
  for (const person of said) {
    words += 1;
    const token = `word-${words}-of-${item.id}`;
    const noteId = await comment(
      world.sandbox,
      person,
      item,
      `${1 + random.below(2)} - because of ${token}`,
      discussionId,
    );
    if (noteId === null) continue;
    const storedAt = new Date().toISOString();
    deeds.replies.push({ ...about, person, eligible: person !== 'carol', itemId: item.id, noteId, token, storedAt });
  }
}

async function pressFromManySides(scene: Scene, pauseId: string): Promise<void> {
  const { random } = scene;
  const presses = Array.from({ length: 1 + random.below(6) }, () =>
    press(scene, random.pick(MAY_CONTINUE), 'continue', pauseId),
  );
  const comments = Array.from({ length: random.below(3) }, () => command(scene, random.pick(MAY_CONTINUE), 'continue'));
  await Promise.all([...presses, ...comments]);
}

async function cancelAfter(scene: Scene, ms: number): Promise<void> {
  const { random, observer, item, signal } = scene;
  await delay(ms, undefined, { signal });
  while (!isOver(observer.at(item.id) ?? { status: '', runId: '', pauseId: null, pauseKind: null })) {
    if (random.chance(0.5)) await command(scene, 'alice', 'cancel');
    else await press(scene, 'bob', 'cancel', null);
    if (await until(scene, (seen) => seen !== null && isOver(seen), IMPATIENT_MS)) return;
  }
}

async function press(
  { world, item, random, deeds }: Scene,
  person: string,
  action: string,
  pauseId: string | null,
): Promise<void> {
  if (action === 'continue') deeds.presses += 1;
  const { status, body } = await act(random.pick(world.apis.urls), person, item, action, pauseId);
  if (status === 202 && body.runId !== undefined)
    deeds.accepted.push({ action, person, itemId: item.id, runId: body.runId, pauseId });
}

async function command({ world, item, deeds }: Scene, person: string, action: string): Promise<void> {
  if (action === 'continue') deeds.presses += 1;
  words += 1;
  const noteId = await comment(world.sandbox, person, item, `/workplan ${action}\n\n(${words})`, null);
  if (noteId !== null) deeds.commands.push({ action, person, itemId: item.id, noteId });
}
