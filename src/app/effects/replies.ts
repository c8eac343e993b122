/**
 * Reads eligible replies from GitLab at Continue, and those of an earlier run's questions when a run begins (spec 2: Eligible replies).
 * Reading only: doing it twice changes nothing.
 */

import type { RunEventBody } from '../../domain/run/events.ts';
import { CARRIED } from '../../domain/run/fold-questions.ts';
import type { RunState } from '../../domain/run/state.ts';
import { findMarkers } from '../../domain/text/marker.ts';
import { eligible, type Reply, readAnswers, toInputs } from '../../domain/workplan/answers.ts';
import type { Answer, Person } from '../../domain/workplan/people.ts';
import type { GitLabDiscussion, GitLabNote, GitLabPort, GitLabUser } from '../../ports/gitlab.ts';
import type { DeliveredNote, OutboxStore } from '../../ports/outbox.ts';
import type { RunSettings } from '../../ports/run-store.ts';
import { isOtherBot } from '../bots.ts';
import { lookAtContinue } from './at-continue.ts';

export interface RepliesDeps {
  gitlab: Pick<GitLabPort, 'me' | 'user' | 'discussions' | 'member' | 'noteAwards' | 'lastEditors'>;
  outbox: Pick<OutboxStore, 'questionNotes'>;
  /** Numeric ids of bots that may act. */
  allowedBots: readonly number[];
}

export interface ContinueDeps extends RepliesDeps {
  gitlab: RepliesDeps['gitlab'] & Pick<GitLabPort, 'issue'>;
}

export async function readReplies(
  deps: ContinueDeps,
  state: RunState,
  settings: RunSettings,
  effect: { id: string; pauseId: string },
  signal: AbortSignal,
): Promise<RunEventBody> {
  const now = state.item ? await lookAtContinue(deps.gitlab, state, state.item, effect, signal) : null;
  if (now?.kind === 'over') return now.event;
  const answers = state.questions.length > 0 ? await collectAnswers(deps, state, settings, signal) : [];
  const news = state.questions.filter((asked) => changed(asked.answers, answersTo(answers, asked.question.id)));
  const pausedOn = state.questions.filter((asked) => asked.pauseId === effect.pauseId);
  const handOn = state.questions.filter((asked) => news.includes(asked) || pausedOn.includes(asked));
  return {
    type: 'replies_read',
    effectId: effect.id,
    pauseId: effect.pauseId,
    answers,
    inputs: toInputs({ questions: handOn.map((asked) => asked.question), answers, language: state.language }),
    assume: pausedOn.length > 0 && pausedOn.every((asked) => answersTo(answers, asked.question.id).length === 0),
    ...(now ? { description: now.description } : {}),
    ...(now?.told ? { told: now.told } : {}),
  };
}

function answersTo(answers: readonly Answer[], questionId: string): Answer[] {
  return answers.filter((answer) => answer.questionId === questionId);
}

/** What was handed on unchanged is not handed on again; that an answer was taken back is news too. */
function changed(before: readonly Answer[], after: readonly Answer[]): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** The answers to all questions of the run, as they read now; of a question that is not on the item (yet), what is known. */
export async function collectAnswers(
  deps: RepliesDeps,
  state: RunState,
  settings: RunSettings,
  signal: AbortSignal,
): Promise<Answer[]> {
  const { item } = state;
  if (!item) return [];
  const [me, discussions, notes] = await Promise.all([
    deps.gitlab.me({ signal }),
    deps.gitlab.discussions(item.projectId, item.iid, { signal }),
    deps.outbox.questionNotes(item.globalId),
  ]);
  const people = rememberPeople(deps, item.projectId, me, settings, signal);
  const places = state.questions.map(({ question, answers, pauseId }) => {
    // Another run may have asked something else under the same id.
    const isOurs = (runId: string | null | undefined): boolean => (runId === state.runId) !== (pauseId === CARRIED);
    const recorded = notes.findLast((note) => note.questionId === question.id && isOurs(note.runId));
    const asks = (note: GitLabNote): boolean =>
      note.author.id === me.id &&
      findMarkers(note.body).some(({ kind, q, run }) => kind === 'question' && q === question.id && isOurs(run));
    const place = placeOf(recorded, discussions, asks);
    // It stood on the item and was deleted since, with all that was answered there.
    return { question, place, known: recorded ? [] : answers };
  });
  const isOfPeople = await eligibleEditors(
    deps,
    places.flatMap(({ place }) => (place ? repliesIn(place) : [])),
    people,
    signal,
  );
  const answers: Answer[] = [];
  for (const { question, place, known } of places) {
    if (!place) {
      answers.push(...known);
      continue;
    }
    const replies: Reply[] = [];
    for (const note of repliesIn(place)) {
      const author = await people(note.author);
      if (author && (await isOfPeople(note)))
        replies.push({ author, text: note.body, createdAt: note.createdAt, noteId: note.id });
    }
    const awards = [];
    for (const award of await deps.gitlab.noteAwards(item.projectId, item.iid, place.noteId, { signal })) {
      const user = await people(award.user);
      if (user) awards.push({ user, name: award.name, createdAt: award.createdAt });
    }
    answers.push(...readAnswers({ question, replies, awards, bot: me.username }));
  }
  return answers;
}

interface Place {
  discussion: GitLabDiscussion;
  noteId: number;
}

/**
 * Where a question stands: as its delivery was recorded, else by the marker of our own note. A note may stand on the item before
 * anybody recorded it (D11), and what is known of earlier runs is not kept for ever.
 */
function placeOf(
  recorded: DeliveredNote | undefined,
  discussions: readonly GitLabDiscussion[],
  asks: (note: GitLabNote) => boolean,
): Place | null {
  const known = discussions.find((discussion) => discussion.id === recorded?.discussionId);
  if (recorded && known) return { discussion: known, noteId: recorded.noteId };
  for (const discussion of discussions.toReversed()) {
    const note = discussion.notes.find(asks);
    if (note) return { discussion, noteId: note.id };
  }
  return null;
}

function repliesIn({ discussion, noteId }: Place): GitLabNote[] {
  return discussion.notes.filter((note) => note.id !== noteId && !note.system && !note.internal);
}

/**
 * Was a note last edited by somebody eligible, or never? What a Maintainer made of another's words must not pass for theirs unless the
 * Maintainer could have said it. Where GraphQL cannot be had the author decides.
 */
async function eligibleEditors(
  deps: RepliesDeps,
  replies: readonly GitLabNote[],
  people: People,
  signal: AbortSignal,
): Promise<(note: GitLabNote) => Promise<boolean>> {
  const edited: number[] = [];
  for (const note of replies)
    if (note.updatedAt !== note.createdAt && (await people(note.author))) edited.push(note.id);
  const editors = edited.length > 0 ? await deps.gitlab.lastEditors(edited, { signal }) : null;
  return async (note) => {
    const editor = editors?.get(note.id) ?? null;
    return editor === null || (await people(editor)) !== null;
  };
}

type People = (user: GitLabUser) => Promise<Person | null>;

/** The person with role, when eligible to answer; each is looked up once. */
function rememberPeople(
  deps: RepliesDeps,
  projectId: number,
  me: GitLabUser,
  settings: RunSettings,
  signal: AbortSignal,
): People {
  const known = new Map<number, Person | null>();
  return async (user) => {
    const before = known.get(user.id);
    if (before !== undefined) return before;
    const person = await lookUp();
    known.set(user.id, person);
    return person;

    async function lookUp(): Promise<Person | null> {
      if (user.id === me.id) return null;
      const member = await deps.gitlab.member(projectId, user.id, { signal });
      if (!member || !eligible(member, settings.roles.answer)) return null;
      if (await isOtherBot(deps.gitlab, user, deps.allowedBots, { signal })) return null;
      return { id: user.id, username: user.username, name: user.name, role: member.role };
    }
  };
}
