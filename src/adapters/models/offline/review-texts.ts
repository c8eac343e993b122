/** The wording of reviews and evaluations, in the languages the planner writes. */
import type { Language } from './language.ts';

export interface ReviewTexts {
  noPlan: string;
  missing(text: string, source: string): string;
  uncovered(id: string, text: string): string;
  untraced(id: string): string;
  answerMissing(question: string): string;
  falselyConfirmed(text: string): string;
  excluded(unit: string, text: string): string;
  check(message: string): string;
  fileMissing(unit: string, path: string): string;
  fileExists(unit: string, path: string): string;
  unknownUnit(unit: string, other: string): string;
  parallel(unit: string, other: string, path: string): string;
  noCriteria(unit: string): string;
  wrongLines(path: string, start: number, end: number): string;
  wrongName(name: string, path: string, start: number): string;
  unspecific(id: string): string;
  unconfirmed(text: string): string;
  noAcceptance: string;
  unreached(paths: string[]): string;
  contradiction(a: string, b: string): string;
  cycle(units: string[]): string;
  unverifiable: string;
  unfamiliar: string;
  none(requirements: number, units: number, findings: number): string;
  recount(total: number, revised: number): string;
  same: string;
  different(found: string): string;
}

const en: ReviewTexts = {
  noPlan: 'There is no plan to read. Write one.',
  missing: (text, source) =>
    `The item asks for this and no requirement says it: "${text}" (${source}). Add it and a unit for it.`,
  uncovered: (id, text) =>
    `${id} is fulfilled by no unit: "${text}". Let a unit cover it, with acceptance criteria that say so.`,
  untraced: (id) => `${id} serves no requirement and no other unit needs it. Remove it or say what it is for.`,
  answerMissing: (question) => `The answer to "${question}" is no decision of the plan. Add it.`,
  falselyConfirmed: (text) => `Said to be confirmed, but nobody answered: "${text}". Mark it as not confirmed.`,
  excluded: (unit, text) => `${unit} does what the item excludes: "${text}". Remove it.`,
  check: (message) => `A check of the service failed: ${message}`,
  fileMissing: (unit, path) =>
    `${unit} changes ${path}, which does not exist at this commit. Name the right file or call it new.`,
  fileExists: (unit, path) => `${unit} calls ${path} new, but it exists. Call it existing.`,
  unknownUnit: (unit, other) => `${unit} depends on ${other}, which is not in the plan. Add it or drop the dependency.`,
  parallel: (unit, other, path) =>
    `${unit} and ${other} are said to be parallel and both change ${path}. Let one depend on the other.`,
  noCriteria: (unit) =>
    `${unit} has nothing by which one sees that it is done. Add acceptance criteria and a way to verify.`,
  wrongLines: (path, start, end) =>
    `A finding cites ${path} lines ${start}–${end}, which are not there. Correct or remove it.`,
  wrongName: (name, path, start) =>
    `A finding says that \`${name}\` is in ${path} at line ${start}; the lines do not name it. Correct or remove it.`,
  unspecific: (id) => `${id} names no value, limit or case. Say in the item how one sees that it is fulfilled.`,
  unconfirmed: (text) => `An answer would raise the score. So far it is assumed: ${text}`,
  noAcceptance: 'The item has no acceptance criteria. Adding them would make the units easier to check.',
  unreached: (paths) =>
    `The plan does not touch ${paths.join(', ')}, which the item concerns. Say why not, or add it to a unit.`,
  contradiction: (a, b) => `The plan keeps two requirements that contradict each other: "${a}" and "${b}".`,
  cycle: (units) => `${units.join(', ')} cannot be put in an order.`,
  unverifiable:
    'Most requirements name nothing that one could observe, so nothing in the plan can show that they are fulfilled.',
  unfamiliar:
    'The code speaks of little that the item asks for, so the places of change are guesses. Name a file, page or call in the item.',
  none: (requirements, units, findings) =>
    `${requirements} requirements, ${units} units and ${findings} findings were compared with the item and the repository; nothing contradicts them.`,
  recount: (total, revised) =>
    `Counted again from the item, the plan and the repository: ${revised} (evaluator: ${total}).`,
  same: 'Looked for again with the same result.',
  different: (found) => `Looked for again with another result: ${found}`,
};

const ja: ReviewTexts = {
  noPlan: '読める計画がありません。計画を書いてください。',
  missing: (text, source) =>
    `課題にある次の内容が要件にありません：「${text}」（${source}）。要件と作業を追加してください。`,
  uncovered: (id, text) => `${id} を満たす作業がありません：「${text}」。受け入れ条件とともに作業に含めてください。`,
  untraced: (id) => `${id} はどの要件にも対応せず、他の作業にも必要とされていません。削除するか目的を書いてください。`,
  answerMissing: (question) => `「${question}」への回答が決定に含まれていません。追加してください。`,
  falselyConfirmed: (text) => `確認済みとされていますが、回答がありません：「${text}」。未確認としてください。`,
  excluded: (unit, text) => `${unit} は対象外の内容を含みます：「${text}」。削除してください。`,
  check: (message) => `サービスの検査に失敗しました：${message}`,
  fileMissing: (unit, path) =>
    `${unit} が変更する ${path} はこのコミットに存在しません。正しいファイル名にするか新規としてください。`,
  fileExists: (unit, path) => `${unit} は ${path} を新規としていますが、すでに存在します。`,
  unknownUnit: (unit, other) => `${unit} が依存する ${other} は計画にありません。追加するか依存を除いてください。`,
  parallel: (unit, other, path) =>
    `${unit} と ${other} は並列とされていますが、どちらも ${path} を変更します。依存関係にしてください。`,
  noCriteria: (unit) => `${unit} の完了を確認する方法がありません。受け入れ条件と確認方法を追加してください。`,
  wrongLines: (path, start, end) => `調査結果が引用する ${path} の ${start}–${end} 行は存在しません。`,
  wrongName: (name, path, start) =>
    `調査結果では \`${name}\` が ${path} の ${start} 行にあるとされていますが、見当たりません。`,
  unspecific: (id) => `${id} には値、上限、具体的な場合が書かれていません。確認方法を課題に書いてください。`,
  unconfirmed: (text) => `未確認です：${text} 質問に回答すると確定します。`,
  noAcceptance: '課題に受け入れ条件がありません。追加すると確認しやすくなります。',
  unreached: (paths) =>
    `課題に関係する ${paths.join('、')} が計画に含まれていません。理由を書くか作業に追加してください。`,
  contradiction: (a, b) => `両立しない要件が残っています：「${a}」と「${b}」。`,
  cycle: (units) => `${units.join('、')} の順序が決められません。`,
  unverifiable: 'ほとんどの要件に観察できる内容がなく、満たされたことを確認できません。',
  unfamiliar:
    'コードに関係する記述がほとんど見つからず、変更箇所は推測です。課題にファイル名、画面、API を書いてください。',
  none: (requirements, units, findings) =>
    `要件 ${requirements} 件、作業 ${units} 件、調査結果 ${findings} 件を課題とリポジトリに照らし、矛盾は見つかりませんでした。`,
  recount: (total, revised) => `課題、計画、リポジトリから数え直した結果：${revised}（評価者：${total}）。`,
  same: 'もう一度調べ、同じ結果でした。',
  different: (found) => `もう一度調べ、異なる結果でした：${found}`,
};

export function reviewTexts(language: Language): ReviewTexts {
  return language === 'ja' ? ja : en;
}
