/** Answers to questions: who may give them, which one counts, and how they are handed on to agents (spec 2: Questions and replies). */

import type { UserInput } from '../run/events.ts';
import { visibleText } from '../text/characters.ts';
import { clip } from './markdown.ts';
import type { Answer, Person } from './people.ts';
import { readAward, readReply, recommended } from './reply.ts';
import type { Question } from './schema.ts';

/** GitLab's level of a Guest; answers count above it. */
const GUEST = 10;
const MAX_ENTRY = 10_000;
const MAX_ALL = 65_536;
/** Kept free for the line that says what was left out. */
const CUT_ROOM = 120;

export interface Reply {
  author: Person;
  text: string;
  /** ISO 8601. */
  createdAt: string;
  noteId: number;
}

export interface Reaction {
  user: Person;
  name: string;
  /** ISO 8601. */
  createdAt: string;
}

/** May this member answer? An active one above Guest; `roles`, when given, replaces that rule (names, upper or lower case). */
export function eligible(
  member: { accessLevel: number; active: boolean; role: string } | null,
  roles: readonly string[] | null,
): boolean {
  if (!member?.active) return false;
  if (roles === null) return member.accessLevel > GUEST;
  return roles.some((role) => role.toLowerCase() === member.role.toLowerCase());
}

/** Does this note count at all? System and internal notes never, nor the service's own, nor bots that are not allowed. */
export function countsAsReply(
  note: { author: { id: number; bot: boolean }; system: boolean; internal: boolean },
  rule: { serviceUserId: number; allowedBots: readonly number[] },
): boolean {
  if (note.system || note.internal || note.author.id === rule.serviceUserId) return false;
  return !note.author.bot || rule.allowedBots.includes(note.author.id);
}

/**
 * One answer a person: the newest of the replies that say something and of the reactions that answer. Of a question that allows several
 * options, the reactions since the person's last reply count together. Replies and reactions must be of eligible people. In the order in
 * which the counting ones were given.
 */
export function readAnswers(input: {
  question: Question;
  replies: readonly Reply[];
  awards: readonly Reaction[];
  bot?: string;
}): Answer[] {
  const { question } = input;
  const byPerson = new Map<number, Answer>();
  for (const said of inOrder(input.replies, input.awards)) {
    const answer =
      'text' in said
        ? answerOfReply(question, said, input.bot ?? '')
        : answerOfReaction(question, said, byPerson.get(said.user.id));
    if (!answer) continue;
    byPerson.delete(answer.by.id);
    byPerson.set(answer.by.id, answer);
  }
  return [...byPerson.values()];
}

/** Oldest first; of the same moment a reply after a reaction, since words say more. */
function inOrder(replies: readonly Reply[], awards: readonly Reaction[]): (Reply | Reaction)[] {
  const written = replies.toSorted((a, b) => timeOf(a) - timeOf(b) || a.noteId - b.noteId);
  return [...awards, ...written].toSorted((a, b) => timeOf(a) - timeOf(b));
}

function timeOf(said: { createdAt: string }): number {
  return Date.parse(said.createdAt);
}

function answerOfReply(question: Question, reply: Reply, bot: string): Answer | null {
  const reading = readReply(question, reply.text, bot);
  return reading && { questionId: question.id, by: reply.author, ...reading };
}

function answerOfReaction(question: Question, award: Reaction, before: Answer | undefined): Answer | null {
  const optionIds = readAward(question, award.name);
  if (!optionIds) return null;
  const all = new Set([...(question.multiple && before?.via === 'emoji' ? before.optionIds : []), ...optionIds]);
  return {
    questionId: question.id,
    by: award.user,
    optionIds: question.options.map((option) => option.id).filter((id) => all.has(id)),
    text: question.type === 'open' ? question.recommendation : '',
    via: 'emoji',
  };
}

/**
 * What agents are told, an entry a question, in the order of the questions: who answered what, contradictions said; without an answer
 * the recommendation as an assumption, not confirmed. At most 10,000 characters an entry and 65,536 in all; a cut is said.
 */
export function toInputs(input: {
  questions: readonly Question[];
  answers: readonly Answer[];
  language?: string;
}): UserInput[] {
  const inputs: UserInput[] = [];
  let left = MAX_ALL - CUT_ROOM;
  for (const [index, question] of input.questions.entries()) {
    const asked = visibleText(`${question.id}: ${question.question}`);
    const answers = input.answers.filter((answer) => answer.questionId === question.id);
    const full = visibleText(answers.length === 0 ? assumption(question) : said(question, answers));
    const room = Math.min(MAX_ENTRY, left) - asked.length;
    const more = input.questions.length - index;
    if (room < 200) {
      inputs.push({
        question: 'Cut',
        answer: `The answers to ${more} further question(s) do not fit and are left out.`,
      });
      break;
    }
    const answer = full.length <= room ? full : `${clip(full, room - 60)}\n(cut: ${full.length} characters were given)`;
    inputs.push({ question: asked, answer });
    left -= asked.length + answer.length;
  }
  return inputs;
}

function assumption(question: Question): string {
  const ids = recommended(question);
  const choice =
    ids.length > 0
      ? `${ids.map((id) => optionText(question, id)).join('; ')} — because: ${question.recommendation}`
      : question.recommendation;
  return `Nobody eligible answered. Best assumption, NOT confirmed: ${choice}\nRecord it as a decision with questionId "${question.id}" and confirmed false.`;
}

function said(question: Question, answers: readonly Answer[]): string {
  const lines = answers.map((answer) => `- ${who(answer.by)}: ${what(question, answer)}`);
  const confirmed = `Confirmed by people; a decision on it has questionId "${question.id}" and confirmed true.`;
  const sides = answers.map(
    (answer) => `${who(answer.by)} says ${answer.optionIds.join(', ') || 'something in own words'}`,
  );
  const choices = new Set(
    answers.map((answer) => JSON.stringify(answer.optionIds.length > 0 ? answer.optionIds : answer.text)),
  );
  if (choices.size < 2) return [...lines, confirmed].join('\n');
  const chosen = answers.some((answer) => answer.optionIds.length > 0);
  const warning = chosen
    ? `The answers contradict each other: ${sides.join('; ')}.`
    : 'People answered differently; say so where it matters.';
  return [warning, ...lines, confirmed].join('\n');
}

function who(person: Person): string {
  const role = person.role === undefined ? '' : ` (${person.role})`;
  return person.name === undefined || person.name === person.username
    ? `${person.username}${role}`
    : `${person.name} @${person.username}${role}`;
}

function what(question: Question, answer: Answer): string {
  const options = answer.optionIds.map((id) => optionText(question, id)).join('; ');
  // "1" says nothing beside the option it chose.
  const text = /^.{0,12}$/.test(answer.text) && options !== '' ? '' : answer.text;
  if (options === '')
    return text === '' ? 'something else than the options, not said what' : text.replaceAll('\n', '\n  ');
  return text === '' ? `chose ${options}` : `chose ${options} — in their words: ${text.replaceAll('\n', '\n  ')}`;
}

function optionText(question: Question, id: string): string {
  const option = question.options.find((candidate) => candidate.id === id);
  return option ? `[${id}] ${option.label}` : id;
}
