/** Criteria of an item that cannot both hold: two amounts for one thing, "everyone" against "only X", a thing wanted and forbidden. */
import type { Asked } from './requirements.ts';
import { shared, similarity, stem, stemSet, words } from './text.ts';

export interface Contradiction {
  kind: 'amount' | 'audience' | 'polarity';
  a: Asked;
  b: Asked;
  /** What each says, e.g. `7 days` and `14 days`. */
  aSays: string;
  bSays: string;
  /** Stems that both speak of. */
  subject: string[];
}

interface Amount {
  value: number;
  unit: string;
  said: string;
}

const NUMBER_WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fourteen: 14,
  twenty: 20,
  thirty: 30,
  sixty: 60,
  ninety: 90,
  hundred: 100,
};
const SCALE: Record<string, [string, number]> = {
  second: ['time', 1],
  sec: ['time', 1],
  minute: ['time', 60],
  min: ['time', 60],
  hour: ['time', 3600],
  day: ['time', 86_400],
  week: ['time', 604_800],
  month: ['time', 2_592_000],
  year: ['time', 31_536_000],
  秒: ['time', 1],
  分: ['time', 60],
  時間: ['time', 3600],
  日: ['time', 86_400],
  週間: ['time', 604_800],
  か月: ['time', 2_592_000],
  ヶ月: ['time', 2_592_000],
  年: ['time', 31_536_000],
  b: ['size', 1],
  byte: ['size', 1],
  kb: ['size', 1e3],
  mb: ['size', 1e6],
  gb: ['size', 1e9],
};
const AMOUNT =
  /(\d[\d,]*(?:\.\d+)?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|thirty|sixty|ninety|hundred)\b)(?:[\s-]*(?:calendar|business|working)?[\s-]*)(%|秒|分|時間|日|週間|か月|ヶ月|年|件|回|名|人|円|文字|ページ|行|[A-Za-z]{1,20})/gi;

/** Amounts with a unit in a text: times in seconds, sizes in bytes, anything else by its noun. */
export function amountsOf(text: string): Amount[] {
  const found: Amount[] = [];
  for (const match of text.matchAll(AMOUNT)) {
    const digits = match[1] ?? '';
    const value = NUMBER_WORDS[digits.toLowerCase()] ?? Number(digits.replaceAll(',', ''));
    const unit = (match[2] ?? '').toLowerCase();
    if (inExample(text, match.index)) continue;
    const scale = SCALE[unit] ?? SCALE[unit.replace(/s$/, '')];
    const countable =
      /[%件回名人円字ジ行]/.test(unit) || (/[a-z]{3,}s$/.test(unit) && !/ss$/.test(unit)) || unit === 'people';
    if (!Number.isFinite(value) || (!scale && !countable)) continue;
    found.push({ value: value * (scale?.[1] ?? 1), unit: scale?.[0] ?? stem(unit), said: match[0].trim() });
  }
  return found;
}

/** "With 10,001 orders …" and `MAX=5` are cases to try, not the rule itself. */
function inExample(text: string, at: number): boolean {
  if (/^(with|when|given|if|for example|e\.g\.)\b|^`[^`]*\d[^`]*`/i.test(text)) return true;
  return /\b(exactly|example|e\.g\.)\s*$|`[^`\s]*$/i.test(text.slice(Math.max(0, at - 30), at));
}

const SYNONYMS: Record<string, string> = {
  valid: 'expir',
  lifetim: 'expir',
  ttl: 'expir',
  work: 'expir',
  retain: 'keep',
  retent: 'keep',
  stor: 'keep',
  remov: 'delet',
  purg: 'delet',
  eras: 'delet',
  download: 'export',
};
const QUALIFIERS: [string, RegExp][] = [
  ['default', /\bdefault|既定|デフォルト|初期値/i],
  ['min', /\bat least|minimum|no less than|以上|最低/i],
  ['ahead', /\bbefore\b|in advance|ahead|remind|warn|前に|事前/i],
  ['free', /\bfree\b|無料/i],
  ['paid', /\b(paid|pro|premium|enterprise|business plan)\b|有料/i],
  ['other', /\b(otherwise|except|unless)\b|ただし|例外/i],
];
const WHO =
  /\b(admins?|administrators?|owners?|maintainers?|managers?|moderators?|developers?|editors?|reporters?|members?|agents?|staff|viewers?|customers?|guests?|operators?|librarians?|teachers?|students?|employees?)\b|管理者|所有者|オーナー|責任者|マネージャー?|担当者|一般ユーザー|ゲスト|顧客|店長|スタッフ/gi;
const EVERYONE =
  /\b(everyone|everybody|anyone|anybody|all (the )?(users|members|people|customers|staff|roles|employees)|any (user|member|role)|every (user|member|role)|public(ly)?|without (signing|logging) in|without (a )?(login|account)|no (login|sign-in))\b|ログイン(なし|せず)|誰でも|全員|(すべて|全て)の(ユーザー|利用者|メンバー|ロール)/i;
const ONLY = /\bonly\b|restricted to|limited to|reserved (to|for)|のみ|だけ|に限/i;
const FORBIDS =
  /\b(must not|mustn't|should not|shouldn't|shall not|may not|never|cannot|can't|do not|don't)\b|しない|してはいけない|できない|禁止/i;

/** Roles and audiences a text names, singular and lower case. */
export function peopleIn(text: string): string[] {
  return [...new Set((text.match(WHO) ?? []).map((name) => name.toLowerCase().replace(/([a-z])s$/, '$1')))];
}

export function saysEveryone(text: string): boolean {
  return EVERYONE.test(text);
}

function qualifiersOf(text: string): string {
  return [...QUALIFIERS.filter(([, sign]) => sign.test(text)).map(([name]) => name), ...peopleIn(text)].sort().join();
}

function subjectOf(text: string): Set<string> {
  const numbers = new Set(amountsOf(text).flatMap((amount) => [...stemSet(amount.said)]));
  const people = new Set(peopleIn(text).map(stem));
  const ignored = new Set([
    'user',
    'day',
    'hour',
    'minut',
    'time',
    'maximum',
    'limit',
    'allow',
    'everyon',
    'anyon',
    'publ',
  ]);
  const found = [...stemSet(text)].map((word) => SYNONYMS[word] ?? word);
  return new Set(found.filter((word) => !numbers.has(word) && !people.has(word) && !ignored.has(word)));
}

function sameSubject(a: Set<string>, b: Set<string>, share: number): string[] {
  const common = shared(a, b);
  const smaller = Math.min(a.size, b.size);
  return common.length > 0 && smaller > 0 && common.length / smaller >= share ? common : [];
}

function compare(a: Asked, b: Asked, subjects: Map<Asked, Set<string>>): Contradiction | null {
  const [textA, textB] = [a.requirement.text, b.requirement.text];
  const [aboutA, aboutB] = [subjects.get(a) ?? new Set<string>(), subjects.get(b) ?? new Set<string>()];
  const subject = sameSubject(aboutA, aboutB, 0.34);
  if (subject.length === 0) return null;
  if (qualifiersOf(textA) === qualifiersOf(textB)) {
    for (const one of amountsOf(textA)) {
      for (const other of amountsOf(textB)) {
        // Several amounts of one unit in a text belong to different things; only a single one on each side is compared.
        const single = [textA, textB].every(
          (text) => amountsOf(text).filter((amount) => amount.unit === one.unit).length === 1,
        );
        if (single && one.unit === other.unit && one.value !== other.value) {
          return { kind: 'amount', a, b, aSays: one.said, bSays: other.said, subject };
        }
      }
    }
  }
  const [open, closed] = saysEveryone(textA) ? [a, b] : [b, a];
  const limited =
    ONLY.test(closed.requirement.text) &&
    (peopleIn(closed.requirement.text).length > 0 ||
      /^only (people|those|users|persons)\b/i.test(closed.requirement.text));
  if (saysEveryone(open.requirement.text) && limited && !saysEveryone(closed.requirement.text)) {
    return {
      kind: 'audience',
      a: open,
      b: closed,
      aSays: open.requirement.text,
      bSays: closed.requirement.text,
      subject,
    };
  }
  const verbs = similarity(stemSet(textA.replace(FORBIDS, ' ')), stemSet(textB.replace(FORBIDS, ' ')));
  if (verbs >= 0.6 && FORBIDS.test(textA) !== FORBIDS.test(textB) && words(textA).length > 2) {
    const [wanted, forbidden] = FORBIDS.test(textA) ? [b, a] : [a, b];
    return {
      kind: 'polarity',
      a: wanted,
      b: forbidden,
      aSays: wanted.requirement.text,
      bSays: forbidden.requirement.text,
      subject,
    };
  }
  return null;
}

/** Contradictions in the order of the text; a requirement takes part in one at most. */
export function contradictionsIn(requirements: Asked[]): Contradiction[] {
  const subjects = new Map(requirements.map((one) => [one, subjectOf(one.requirement.text)]));
  const found: Contradiction[] = [];
  const used = new Set<Asked>();
  for (const [index, a] of requirements.entries()) {
    for (const b of requirements.slice(index + 1)) {
      if (used.has(a) || used.has(b)) continue;
      const contradiction = compare(a, b, subjects);
      if (contradiction === null) continue;
      found.push(contradiction);
      used.add(a).add(b);
    }
  }
  return found;
}
