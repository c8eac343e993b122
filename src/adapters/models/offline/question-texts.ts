/** The wording of the questions, in the languages the planner writes. */
import type { Language } from './language.ts';

interface Said {
  says: string;
  source: string;
}

export interface QuestionTexts {
  source(source: string): string;
  amount(a: Said, b: Said): string;
  conflict(a: string, b: string): string;
  conflictWhy(a: Said, b: Said): string;
  inCode(part: string, place: string): string;
  fromCode(value: string, place: string): string;
  fromNote(source: string): string;
  fromCriteria: string;
  stricter(value: string): string;
  restrictive: string;
  forbid: string;
  who(what: string): string;
  whoWhy(roles: string[], place: string): string;
  only(roles: string[]): string;
  everyRole(roles: string[]): string;
  onlyMeans: string;
  tier(what: string): string;
  tierWhy: string;
  tierAll: string;
  tierPaid: string;
  tierOne(name: string): string;
  tierReason: string;
  destroy(what: string): string;
  destroyWhy(tables: string[]): string;
  destroyMark: string;
  destroyMarkMeans: string;
  destroyNow: string;
  destroyNowMeans: string;
  destroyLater: string;
  destroyLaterMeans: string;
  destroyReason: string;
  breaking(what: string): string;
  breakingWhy(where: string): string;
  breakingBoth: string;
  breakingBothMeans: string;
  breakingNow: string;
  breakingNowMeans: string;
  breakingReason: string;
  scope(what: string): string;
  scopeWhy: string;
  scopeNamed: string;
  scopeAll(places: string[]): string;
  scopeReason: string;
  openWhy(source: string): string;
  yes: string;
  no: string;
  noReason: string;
  today: string;
  todayMeans: string;
  include: string;
  includeMeans: string;
  todayReason: string;
  firstReason(label: string): string;
  closedReason(label: string): string;
  number(value: string, place: string): string;
  bothWithout(part: string): string;
  bothWithoutMeans(part: string): string;
  bothReason: string;
  asQuestion(point: string): string;
  days(count: number): string;
  daysReason: string;
  noLimit: string;
  noLimitMeans: string;
}

const en: QuestionTexts = {
  source: (source) => (source.startsWith('note_') ? `comment ${source.slice(5)}` : source.replace('#L', ', line ')),
  amount: (a, b) => `Which value holds: ${a.says} or ${b.says}?`,
  conflict: (a, b) => `Which of the two holds: "${a}" or "${b}"?`,
  conflictWhy: (a, b) =>
    `The item says "${a.says}" (${en.source(a.source)}) and "${b.says}" (${en.source(b.source)}). Both cannot be fulfilled.`,
  inCode: (part, place) => `In the code ${part} is at ${place}.`,
  fromCode: (value, place) =>
    `${value}: it is what the code does today (${place}), so nothing changes for anyone who relies on it.`,
  fromNote: (source) => `The later statement (${en.source(source)}), since it was written knowing the first.`,
  fromCriteria: 'The acceptance criteria say so, and they are what the work is checked against.',
  stricter: (value) =>
    `${value}: the narrower value. It can be widened later without taking anything away from anyone.`,
  restrictive:
    'The narrower one: it can be opened later without taking anything away from anyone, the other way round not.',
  forbid: 'The prohibition: lifting it later is harmless, enforcing it later takes something away.',
  who: (what) => `Who may do this: ${what}?`,
  whoWhy: (roles, place) =>
    `The item does not say who may, and the code tells roles apart (${roles.join(', ')}${place ? `; ${place}` : ''}). Which checks and tests are written depends on it.`,
  only: (roles) =>
    roles.length === 1 ? `Only ${roles[0]}` : `Only ${roles.slice(0, -1).join(', ')} and ${roles.at(-1)}`,
  everyRole: (roles) => `Every role: ${roles.join(', ')}`,
  onlyMeans: 'Everyone else is refused.',
  tier: (what) => `Which plans include this: ${what}?`,
  tierWhy: 'The item speaks of price or plans without saying which; limits and checks differ by it.',
  tierAll: 'All plans',
  tierPaid: 'Paid plans only',
  tierOne: (name) => `Only ${name}`,
  tierReason: 'All plans: no check is needed, and a limit can be added when the price is decided.',
  destroy: (what) => `May this destroy data for good: ${what}?`,
  destroyWhy: (tables) =>
    `What is deleted cannot be brought back, and the item does not say whether it must be${tables.length ? ` (tables: ${tables.join(', ')})` : ''}.`,
  destroyMark: 'Mark as deleted, keep the data',
  destroyMarkMeans: 'Hidden everywhere; can be restored.',
  destroyNow: 'Delete for good, at once',
  destroyNowMeans: 'Nothing is kept; there is no way back.',
  destroyLater: 'Mark as deleted, delete for good after 30 days',
  destroyLaterMeans: 'Can be restored for 30 days; needs a scheduled job.',
  destroyReason: 'Marking can be undone if the wrong data is hit, and deleting for good can still follow.',
  breaking: (what) => `May this break those who use it today: ${what}?`,
  breakingWhy: (where) =>
    `It changes an interface that others may already use${where ? ` (${where})` : ''}; the item does not say what happens to them.`,
  breakingBoth: 'Keep the old beside the new, marked as deprecated',
  breakingBothMeans: 'Nobody breaks; the old way is removed in a later release.',
  breakingNow: 'Replace it at once',
  breakingNowMeans: 'Less code; every caller must change at the same time.',
  breakingReason: 'Both side by side, since we cannot see who calls it from outside.',
  scope: (what) => `What exactly belongs to this: ${what}?`,
  scopeWhy: 'The item leaves the end of its list open; the readings differ by a good deal of work.',
  scopeNamed: 'Only what the item names',
  scopeAll: (places) => `Also what is alike${places.length ? `: ${places.join(', ')}` : ' in the code'}`,
  scopeReason: 'What is named can be finished and checked; the rest can follow in an item of its own.',
  openWhy: (source) => `The item itself leaves this open (${en.source(source)}), and the plan depends on it.`,
  yes: 'Yes',
  no: 'No',
  noReason: 'No: the smaller change, and it can be added later without taking anything away.',
  today: 'Leave it as it is today',
  todayMeans: 'Not part of this item.',
  include: 'Decide it as part of this item',
  includeMeans: 'The plan gets room for it; say how in your reply.',
  todayReason: 'Nothing in the item or the code says otherwise, and it can follow in an item of its own.',
  firstReason: (label) => `${label}: the item names it first, and nothing in the code speaks against it.`,
  closedReason: (label) => `${label}: the code already works with it.`,
  number: (value, place) => `${value} (as in ${place})`,
  bothWithout: (part) => `Both: open to everybody, but ${part} only for those who are allowed to see it`,
  bothWithoutMeans: (part) => `For everybody else ${part} is left out of the answer.`,
  bothReason: 'It fulfils both sentences: what is meant for everybody stays open, and nobody sees the protected part.',
  asQuestion: (point) =>
    /^(how|what|when|where|why|whether|if)\b(?! (do|does|did|is|are|can|should|shall|will|must|may)\b)/i.test(point)
      ? `Still to be decided: ${point}. What shall hold?`
      : `${point.charAt(0).toUpperCase()}${point.slice(1)}?`,
  days: (count) => `${count} days`,
  daysReason:
    '30 days: long enough for those who use it, and what is forgotten does not stay for ever. Made a setting, it can be changed later.',
  noLimit: 'No limit',
  noLimitMeans: 'It stays until somebody ends it.',
};

const ja: QuestionTexts = {
  source: (source) =>
    source.startsWith('note_')
      ? `コメント ${source.slice(5)}`
      : source.replace('description#L', '説明 ').replace(/説明 (\d+)/, '説明の $1 行目'),
  amount: (a, b) => `「${a.says}」と「${b.says}」のどちらが正しいですか？`,
  conflict: (a, b) => `「${a}」と「${b}」のどちらを採用しますか？`,
  conflictWhy: (a, b) =>
    `「${a.says}」（${ja.source(a.source)}）と「${b.says}」（${ja.source(b.source)}）は両立しません。`,
  inCode: (part, place) => `コードでは ${part} は ${place} にあります。`,
  fromCode: (value, place) => `${value}：現在のコードの動作と同じで（${place}）、既存の利用者に影響しません。`,
  fromNote: (source) =>
    `後から書かれたもの（${ja.source(source)}）を優先します。先の記述を踏まえて書かれているためです。`,
  fromCriteria: '受け入れ条件にそう書かれており、完了の確認に使われるためです。',
  stricter: (value) => `${value}：狭い方の値です。後から広げても誰も困りません。`,
  restrictive: '範囲の狭い方です。後から広げるのは容易ですが、逆は誰かの権限を奪います。',
  forbid: '禁止する方です。後から許可しても問題になりません。',
  who: (what) => `誰が実行できますか：${what}`,
  whoWhy: (roles, place) =>
    `誰に許可するかが書かれておらず、コードにはロール（${roles.join('、')}${place ? `、${place}` : ''}）の区別があります。権限チェックとテストの内容が変わります。`,
  only: (roles) => `${roles.join('と')}のみ`,
  everyRole: (roles) => `すべてのロール（${roles.join('、')}）`,
  onlyMeans: 'それ以外は拒否します。',
  tier: (what) => `どのプランで使えますか：${what}`,
  tierWhy: '料金やプランに触れていますが、対象が書かれていません。制限とチェックの内容が変わります。',
  tierAll: 'すべてのプラン',
  tierPaid: '有料プランのみ',
  tierOne: (name) => `${name} のみ`,
  tierReason: 'すべてのプラン：チェックが不要で、価格が決まってから制限を加えられます。',
  destroy: (what) => `データを元に戻せない形で消してよいですか：${what}`,
  destroyWhy: (tables) =>
    `消したデータは戻せませんが、復元の要否が書かれていません${tables.length ? `（テーブル：${tables.join('、')}）` : ''}。`,
  destroyMark: '削除済みの印を付け、データは残す',
  destroyMarkMeans: '画面や API には出ず、復元できます。',
  destroyNow: '直ちに完全に削除する',
  destroyNowMeans: '何も残らず、元に戻せません。',
  destroyLater: '削除済みの印を付け、30 日後に完全に削除する',
  destroyLaterMeans: '30 日間は復元できます。定期処理が必要です。',
  destroyReason: '誤って消しても元に戻せ、完全な削除は後からでもできるためです。',
  breaking: (what) => `既存の利用者に影響する変更をしてよいですか：${what}`,
  breakingWhy: (where) =>
    `すでに使われている可能性のあるインターフェース${where ? `（${where}）` : ''}が変わりますが、既存の利用者の扱いが書かれていません。`,
  breakingBoth: '古いものを非推奨として残し、新しいものと併存させる',
  breakingBothMeans: '既存の利用者は影響を受けず、後のリリースで古いものを除きます。',
  breakingNow: '直ちに置き換える',
  breakingNowMeans: 'コードは少なくなりますが、すべての呼び出し側を同時に直す必要があります。',
  breakingReason: '外部からの利用状況が分からないため、併存が安全です。',
  scope: (what) => `対象の範囲はどこまでですか：${what}`,
  scopeWhy: '対象の列挙が途中で終わっており、解釈によって作業量が大きく変わります。',
  scopeNamed: '書かれているものだけ',
  scopeAll: (places) => `同様のものもすべて${places.length ? `（${places.join('、')}）` : ''}`,
  scopeReason: '書かれているものは完了を確認できます。残りは別の課題にできます。',
  openWhy: (source) => `説明自体で未決定とされており（${ja.source(source)}）、計画の内容が変わります。`,
  yes: 'はい',
  no: 'いいえ',
  noReason: 'いいえ：変更が小さく、後から追加できます。',
  today: '現状のままとする',
  todayMeans: 'この課題には含めません。',
  include: 'この課題の中で決める',
  includeMeans: '計画に含めます。方法を返信してください。',
  todayReason: '説明にもコードにも根拠がなく、別の課題で対応できるためです。',
  firstReason: (label) => `${label}：先に挙げられており、コードにも反する点がありません。`,
  closedReason: (label) => `${label}：コードがすでに扱っています。`,
  number: (value, place) => `${value}（${place} と同じ）`,
  bothWithout: (part) => `両方：誰でも見られるが、${part} は許可された人だけに見せる`,
  bothWithoutMeans: (part) => `それ以外の人への応答には ${part} を含めません。`,
  bothReason: '両方の記述を満たします。公開すべきものは公開され、保護すべき部分は誰にも見えません。',
  asQuestion: (point) =>
    `${point.replace(/(は|も|が|については?)?(まだ)?(未定|未決|決まって|決めて|要検討|検討中).*$/, '').replace(/[。、]$/, '')}：どうしますか？`,
  days: (count) => `${count} 日`,
  daysReason: '30 日：利用者には十分な長さで、忘れられたものが残り続けません。設定にすれば後から変更できます。',
  noLimit: '期限なし',
  noLimitMeans: '誰かが終わらせるまで残ります。',
};

export function questionTexts(language: Language): QuestionTexts {
  return language === 'ja' ? ja : en;
}
