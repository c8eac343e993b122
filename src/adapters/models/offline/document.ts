/** A person's Markdown as statements: list items and sentences with their line, section and place, code left out. */
import { quote } from './text.ts';

export type SectionKind = 'plain' | 'context' | 'wanted' | 'out' | 'open' | 'aside';

export interface Statement {
  text: string;
  /** `description#L12` or `note_34`. */
  source: string;
  /** The discussion of a note, else empty. */
  discussion: string;
  author: string;
  section: { kind: SectionKind; title: string };
  list: boolean;
}

/** Bounds on what is looked at: enough for any item a person wrote, and a defined end for one that was generated. */
const MAX_LINES = 3000;
const MAX_STATEMENTS = 600;

const KINDS: [SectionKind, RegExp][] = [
  [
    'out',
    /out[ -]of[ -]scope|not in scope|non[- ]?goals?|not (included|part of)|won.?t do|exclu(ded|sions)|対象外|範囲外|スコープ外|やらないこと|含まない/i,
  ],
  [
    'open',
    /open (question|point|issue)s?|to be (decided|discussed|clarified)|\btbd\b|^questions?$|unclear|undecided|未定|未決|要検討|検討事項|確認事項|質問|論点|不明点/i,
  ],
  [
    'wanted',
    /require|acceptance|criteria|definition of done|expected|deliverable|\btasks?\b|to ?do|what (we|is) (want|need|wanted|needed)|^what$|^wish(es)?$|^details?$|goal|scope|proposal|behaviou?r|specification|要件|受け?入れ|完了条件|仕様|やること|期待|目的|ゴール|対応内容|実現したい|提案|範囲/i,
  ],
  [
    'context',
    /background|context|motivation|current|\bwhy\b|problem|today|history|situation|steps to reproduce|actual|背景|現状|課題|経緯|問題|理由|再現/i,
  ],
  ['aside', /^(notes?|links?|references?|resources?|see also|related|hints?|screenshots?)\b|参考|備考|関連|補足|メモ/i],
];

function kindOf(title: string): SectionKind {
  // "Current behaviour" describes, "expected behaviour" asks: the first word decides.
  if (/^(current|existing|actual|present|steps)\b|^現在|^現状/i.test(title)) return 'context';
  return KINDS.find(([, sign]) => sign.test(title))?.[0] ?? 'plain';
}

/** "Expected: a message" is a statement of its own, of the kind that its label says. */
function labelled(line: string): { kind: SectionKind; title: string; text: string } | null {
  const match =
    /^\s*(?:[-*+]\s+)?\*{0,2}([A-Za-z][A-Za-z ]{2,30}|[ぁ-ヿ一-龠]{2,12})(?:[:：]\*{0,2}|\*{2}\s?[:：])\s*(\S.*)$/.exec(
      line,
    );
  const title = match?.[1]?.trim() ?? '';
  if (
    !match ||
    !/^(expected|actual|current|out of scope|not in scope|open question|tbd|background|context|期待|現状|対象外|未定|背景)/i.test(
      title,
    )
  )
    return null;
  return { kind: kindOf(title), title, text: match[2] ?? '' };
}

function headingOf(line: string): string | null {
  const marked =
    /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line) ??
    /^\s*\*\*(.{1,80}?)\*\*\s*[:：]?\s*$/.exec(line) ??
    /^\s*【(.{1,60})】\s*$/.exec(line);
  if (marked) return (marked[1] ?? '').replace(/[:：*]+$/, '').trim();
  // "Out of scope:" on a line of its own is a heading too, a sentence that leads into a list is not.
  const bare = /^\s{0,3}([^.!?。:：]{2,40})[:：]\s*$/.exec(line);
  return bare && kindOf(bare[1] ?? '') !== 'plain' ? (bare[1] ?? '').trim() : null;
}

const ITEM = /^\s*(?:[-*+•‣]\s+|・\s*|\d{1,3}[.)]\s+|[（(]?\d{1,2}[)）]\s*|[①-⑳]\s*)(?:\[[ xX~]?\]\s*)?(.*)$/;

/** Splits at sentence ends; abbreviations, versions, paths and code spans stay whole. */
export function sentences(text: string): string[] {
  const spans: string[] = [];
  const held = text.replace(/`[^`]{1,200}`/g, (span) => {
    spans.push(span);
    return `\uE000${spans.length - 1}\uE001`;
  });
  return (
    held
      .replace(/\b(e\.g|i\.e|vs|approx|resp|No|cf)\./gi, '$1\uE002')
      // It may end a sentence: then a word with a capital follows.
      .replace(/\betc\.(?!\s+\p{Lu}[\p{Ll}\s]|\s*$)/giu, 'etc\uE002')
      .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'(\uE000[])|(?<=[。！？])\s*/u)
      .map((part) => part.replaceAll('\uE002', '.').replace(/\uE000(\d+)\uE001/g, (_, n) => spans[Number(n)] ?? ''))
      .map((part) => part.trim())
      .filter((part) => part.length > 0)
  );
}

interface Place {
  source(line: number): string;
  discussion: string;
  author: string;
}

function parse(markdown: string, place: Place): Statement[] {
  const statements: Statement[] = [];
  let section: Statement['section'] = { kind: 'plain', title: '' };
  let open: { text: string; line: number; list: boolean } | null = null;
  let fenced = false;
  const flush = () => {
    if (open === null || statements.length >= MAX_STATEMENTS) return;
    const { line, list } = open;
    for (const text of list ? [open.text] : sentences(open.text)) {
      const clean = quote(text.replace(/\*\*([^*]+)\*\*/g, '$1').replace(/^>\s*/, ''), 600);
      if (/[\p{L}\p{N}]/u.test(clean)) {
        statements.push({
          text: clean,
          source: place.source(line),
          discussion: place.discussion,
          author: place.author,
          section,
          list,
        });
      }
    }
    open = null;
  };
  const visible = markdown.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ''));
  const lines = visible.split(/\r\n|\r|\n/).slice(0, MAX_LINES);
  for (const [index, raw] of lines.entries()) {
    const line = raw.slice(0, 4000);
    if (/^\s*(```|~~~)/.test(line)) {
      flush();
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const label = labelled(line);
    if (label !== null) {
      flush();
      const before = section;
      section = { kind: label.kind, title: label.title };
      open = {
        text: /^expected/i.test(label.title) ? `Expected: ${label.text}` : label.text,
        line: index + 1,
        list: sentences(label.text).length === 1,
      };
      flush();
      section = before;
      continue;
    }
    const heading = headingOf(line);
    const item = ITEM.exec(line);
    if (heading !== null) {
      flush();
      section = { kind: kindOf(heading), title: quote(heading, 80) };
    } else if (/^\s*$/.test(line) || /^\s*\|/.test(line) || /^\s*[-=*_]{3,}\s*$/.test(line)) {
      flush();
    } else if (/^\/[a-z_]+/i.test(line) || /^\s*@\S+\s+(plan|continue|cancel)\s*$/i.test(line)) {
      // A command to GitLab or to the service is no statement about the work.
      flush();
    } else if (item) {
      flush();
      open = { text: item[1] ?? '', line: index + 1, list: true };
    } else if (open === null) {
      open = { text: line.trim(), line: index + 1, list: false };
    } else {
      const joint: string = /[ぁ-ヿ一-龠、。]$/.test((open as { text: string }).text) ? '' : ' ';
      open = {
        ...(open as { text: string; line: number; list: boolean }),
        text: `${(open as { text: string }).text}${joint}${line.trim()}`.slice(0, 8000),
      };
    }
  }
  flush();
  return statements;
}

/** Statements of the description, each with the line it begins on. */
export function statementsOf(description: string): Statement[] {
  return parse(description, { source: (line) => `description#L${line}`, discussion: '', author: '' });
}

/** Statements of one note. */
export function statementsOfNote(note: {
  id: string;
  discussionId: string;
  author: string;
  text: string;
}): Statement[] {
  const id = note.id.replace(/[^\w-]/g, '').slice(0, 60) || 'unknown';
  return parse(note.text, { source: () => `note_${id}`, discussion: note.discussionId, author: note.author });
}
