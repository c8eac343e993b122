/** What a text asks for, excludes and leaves open (spec 2: Workplan and score, requirements with their source). */
import type { Requirement } from '../../../domain/workplan/schema.ts';
import { type Statement, statementsOf, statementsOfNote } from './document.ts';
import { VAGUE_STEMS } from './lexicon.ts';
import { quote, similarity, stemSet, stems } from './text.ts';
import type { Item, Note } from './tool-data.ts';

export interface Asked {
  requirement: Requirement;
  /** Topical heading it stands under; empty for general ones ("Requirements"). */
  topic: string;
  /** It says how one sees that something is done, rather than what is to be done. */
  criterion: boolean;
  stems: Set<string>;
}

export interface Reading {
  title: string;
  requirements: Asked[];
  outOfScope: string[];
  /** Points the item itself leaves open. */
  open: Statement[];
  /** Everything people stated, for contradictions and vocabulary. */
  statements: Statement[];
  /** Names in code spans, paths, identifiers. */
  names: string[];
  vague: boolean;
}

const MAX_REQUIREMENTS = 40;

const MODAL =
  /\b(must|should|shall|needs? to|has to|have to|ought to|may not|may only|can(not|'t)?|is required|are required|never|only|(we|users?|people|customers|members) (want|need|would like)|i want|i'd like|we'd like|please)\b/i;
const STRONG = /\b(must|should|shall|has to|have to|needs? to|we (want|need)|i want|please)\b/i;
/** Verbs with which a wish begins as an order. */
export const IMPERATIVE =
  /^(please\s+)?(add|allow|show|support|make|let|remove|return|store|send|limit|validate|log|expose|rename|migrate|delete|write|implement|introduce|provide|replace|document|display|hide|reject|accept|create|update|enforce|cache|paginate|sort|filter|export|import|notify|record|keep|use|extend|move|split|drop|purge|encrypt|mask|refuse|answer|respond|include|change|cover|test|mention|handle|retry|block|enable|disable|offer|print|save|load|give|set|mark|run|stop|start|build|extract|convert|switch|apply|check|ensure|prevent|warn|list|search)\b/i;
/** What is said to hold afterwards: "the old name is dropped", "nested maps are not affected". */
const HOLDS =
  /\b(is|are|gets?|stays?|remains?) (then |always |also |only |still |never |not |no longer )?(added|removed|dropped|deleted|renamed|shown|hidden|sent|stored|kept|logged|rejected|refused|returned|allowed|ignored|rendered|converted|encrypted|sorted|exported|imported|documented|replaced|honou?red|affected|created|updated|validated|limited|escaped|masked|cached|retried|skipped|unchanged|the same)\b/i;
const FAULT = /\b(wrong(ly)?|incorrect(ly)?|broken|instead of|fails?|failed|errors?|crash\w*|but|although|however)\b/i;
/** A scenario: "Given …, when …, then …". */
const SCENARIO = /^(given|when|scenario:)\b.{3,}?(\bthen\b|,)/i;
/** Tests are part of what they show, never a piece of work of their own. */
export const ASKS_FOR_TESTS =
  /^(please |also )*(add|write|include|extend|update)( \w+){0,2} (unit |integration |regression |e2e )?tests?\b|\b(must|should) (be (covered by|tested)|have (unit |integration )?tests)\b/i;
const JA_WANT =
  /(する|こと|たい|できる|られる|べき|必要(がある|です|だ)?|ほしい|欲しい|ください|たい|ます|ない|せる|れる|対応|追加|表示|変更|廃止|禁止|必須)(です|とする|ようにする)?[。.]?$/;
const JA_DESCRIBES = /^(現在|現状|今は|いまは|これまで|従来)|(ている|ていた|だった|でした|困っている|ています)[。.]?$/;
const DESCRIBES =
  /^(currently|today|at the moment|right now|so far|at present|as of now|we (currently|now) |there is (currently )?(no|a)|users? (complain|report|cannot currently))\b/i;
const OUT =
  /\b(out of scope|not in scope|not part of (this|the)|(is|are) excluded|we (do not|don't) need|no need to|not needed|leave .{1,40} (alone|as (it|they) (is|are))|for (a )?later|in a (later|separate|follow-up) (issue|step|item))\b|対象外|範囲外|含めない|今回は(行わ|実施し|対応し)ない|別(途|件|イシュー)/i;
const OPEN =
  /[?？]\s*$|\btbd\b|\btodo: decide|not (yet )?(been )?(decided|clear|sure)|undecided|to be (decided|defined|discussed|clarified)|open (question|point)|needs? a decision|(we|i) (do not|don't) know (yet )?(if|whether|who|which|how)|who decides|未定|未決|(決まって|決めて|わかって|分かって)い(ない|ません)|要検討|検討中|か[。.]?$|不明/i;
/** Talk between people, not a wish on the product. */
const CHATTER =
  /^(thanks|thank you|hi|hello|lgtm|\+1|ping|any (news|update)|sorry|ok|okay|good (idea|point)|agreed)\b|^(ありがとう|お疲れ|了解|こんにちは|よろしく)/i;

function isWanted(statement: Statement, fromNote: boolean): boolean {
  const { text, section, list } = statement;
  if (CHATTER.test(text)) return false;
  if (/[:：]$/.test(text)) return false;
  const japanese = /[ぁ-ヿ]/.test(text);
  if (section.kind === 'context' || section.kind === 'aside')
    return !list && STRONG.test(text) && !DESCRIBES.test(text);
  if (DESCRIBES.test(text) || (japanese && JA_DESCRIBES.test(text) && !list)) return false;
  if (section.kind === 'wanted') return list || japanese || MODAL.test(text) || IMPERATIVE.test(text) || !fromNote;
  if (SCENARIO.test(text)) return true;
  // A reason tells how things are, unless it says what must be.
  if (!list && section.kind === 'plain' && /\bbecause\b/i.test(text) && !STRONG.test(text) && !IMPERATIVE.test(text))
    return false;
  if (!fromNote && section.kind === 'plain' && HOLDS.test(text) && !FAULT.test(text)) return true;
  if (list) return fromNote ? MODAL.test(text) || IMPERATIVE.test(text) || (japanese && JA_WANT.test(text)) : true;
  return MODAL.test(text) || IMPERATIVE.test(text) || (japanese && JA_WANT.test(text));
}

/** Whether a text names anything that could be built: words that are not general, a name in code, a number with a unit. */
export function concreteStems(text: string): string[] {
  return [...new Set(stems(text))].filter((word) => !VAGUE_STEMS.has(word) && !VAGUE_STEMS.has(word.slice(0, 7)));
}

function isVague(title: string, description: string, notes: Note[], requirements: Asked[], names: string[]): boolean {
  const all = `${title}\n${description}\n${notes.map((note) => note.text).join('\n')}`.slice(0, 20_000);
  const kana = (all.match(/[ぁ-ヿ一-龠]/g) ?? []).length;
  const concrete = new Set(requirements.flatMap((one) => concreteStems(one.requirement.text)));
  if (requirements.length === 0) return true;
  if (kana > 20) return description.replace(/\s/g, '').length < 40 && concrete.size < 6;
  if (names.length > 0 && concrete.size >= 4) return false;
  return concrete.size < 6;
}

function topicOf(statement: Statement): string {
  return statement.section.kind === 'plain' ? statement.section.title : '';
}

/** Reads the item's own words. */
export function readRequirements(item: Item, notes: Note[]): Reading {
  const own = statementsOf(item.description);
  const noted = notes.flatMap(statementsOfNote);
  const statements = [...own, ...noted];
  const requirements: Asked[] = [];
  const outOfScope: string[] = [];
  const open: Statement[] = [];
  for (const statement of statements) {
    const fromNote = statement.source.startsWith('note_');
    const leftOpen =
      !CHATTER.test(statement.text) &&
      !/^(current|actual|現状)/i.test(statement.section.title) &&
      (statement.section.kind === 'open' || OPEN.test(statement.text));
    // A sentence after the list of what is excluded may still say what is open.
    if (leftOpen && !(statement.section.kind === 'out' && statement.list)) {
      open.push(...splitOpen(statement));
    } else if (statement.section.kind === 'out' || OUT.test(statement.text)) {
      if (!outOfScope.includes(statement.text) && outOfScope.length < 30) {
        outOfScope.push(quote(statement.text.replace(/^(out of scope|対象外)\s*[:：]\s*/i, ''), 400));
      }
    } else if (requirements.length < MAX_REQUIREMENTS && isWanted(statement, fromNote)) {
      const own = stemSet(statement.text);
      const known = requirements.some(
        (other) =>
          other.requirement.text === statement.text ||
          (sameNumbers(other.requirement.text, statement.text) && similarity(other.stems, own) >= 0.8),
      );
      if (own.size === 0 || known) continue;
      requirements.push({
        requirement: { id: `R${requirements.length + 1}`, text: statement.text, source: statement.source },
        topic: topicOf(statement),
        criterion:
          SCENARIO.test(statement.text) ||
          ASKS_FOR_TESTS.test(statement.text) ||
          /accept|criteria|definition of done|受け?入れ|完了条件/i.test(statement.section.title),
        stems: own,
      });
    }
  }
  const fault = requirements.length === 0 ? faultOf(item) : null;
  if (fault) requirements.push(fault);
  const names = namesIn(`${item.title}\n${item.description}\n${notes.map((note) => note.text).join('\n')}`);
  const vague = fault === null && isVague(item.title, item.description, notes, requirements, names);
  return {
    title: quote(item.title, 200),
    requirements,
    outOfScope,
    open: settled(open, statements),
    statements,
    names,
    vague,
  };
}

const REPORTS_FAULT =
  /\b(crash\w*|exceptions?|fails?|failing|failure|broken|breaks|wrong(ly)?|incorrect(ly)?|cannot|can't|regression|leak\w*|hangs?|freez\w*|\w*error|panic\w*|segfault|does(n't| not)|is(n't| not) \w+ed|never (ends|returns|fires)|duplicated?|lost)\b|失敗|エラー|落ちる|クラッシュ|動かない|できない|おかしい/i;

/** A report of a fault asks for its end, also where nobody says so; null: it is none, or shows neither code nor a message. */
function faultOf(item: Item): Asked | null {
  const shown =
    /^\s*(```|~~~)|^ {4}\S|^\s+at \S+|Error:|Exception|Traceback/m.test(item.description) ||
    /`[^`\n]{3,}`/.test(item.description);
  if (!REPORTS_FAULT.test(item.title) || !shown) return null;
  const title = quote(item.title.replace(/[.。!！]+$/, ''), 300);
  const japanese = /[ぁ-ヿ]/.test(title);
  const text = japanese ? `「${title}」が起きないこと。` : `This must no longer happen: ${title}.`;
  return {
    requirement: { id: 'R1', text, source: 'title' },
    topic: '',
    criterion: false,
    stems: stemSet(text),
  };
}

/** "Not decided: who may …, and how long …" are two points. */
function splitOpen(statement: Statement): Statement[] {
  const lead =
    /^((?:not (?:yet )?decided(?: yet)?|undecided|open(?: points?| questions?)?|to be decided|tbd|未定|未決)\s*[:：-]\s*)(.+)$/i.exec(
      statement.text,
    );
  const body = lead?.[2] ?? statement.text;
  const parts = body.split(
    /(?:[,;]\s*(?:and\s+)?|\s+and\s+)(?=(?:who|whether|how|when|what|which|where|if|should|does|do|is|are|can|may|will)\b)|[;；]\s*/i,
  );
  return parts
    .map((part) => part.trim().replace(/[.。]$/, ''))
    .filter((part) => part.length > 3)
    .map((text) => ({ ...statement, text }));
}

function sameNumbers(a: string, b: string): boolean {
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).join(',');
  return numbers(a) === numbers(b);
}

/** Open points without those that a later reply of another person in the same discussion answered. */
function settled(open: Statement[], all: Statement[]): Statement[] {
  return open.filter((point) => {
    if (point.discussion === '') return true;
    const at = all.indexOf(point);
    return !all
      .slice(at + 1)
      .some(
        (other) => other.discussion === point.discussion && other.author !== point.author && !OPEN.test(other.text),
      );
  });
}

/** Names of code in a text: code spans, paths, identifiers with inner capitals or underscores. At most 30, in order. */
export function namesIn(text: string): string[] {
  const found = new Set<string>();
  const cut = text.slice(0, 100_000);
  for (const match of cut.matchAll(/`([^`\n]{2,80})`/g)) found.add((match[1] ?? '').trim());
  for (const match of cut.matchAll(
    /\b[\w.-]{1,120}(?:\/[\w.-]{1,120}){1,30}\.\w{1,8}\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z0-9]+[A-Z]\w+\b|\b[A-Za-z]+_\w+\b/g,
  ))
    found.add(match[0]);
  return [...found].filter((name) => /[A-Za-z]/.test(name)).slice(0, 30);
}
