/** The wording of research, plans, reviews and evaluations, in the languages the planner writes. */
import type { Area, Definition } from './code-facts.ts';
import type { Language } from './language.ts';

export interface PlanTexts {
  asToday: string;
  noneOfThem: string;
  assumed(question: string, choice: string): string;
  decided(question: string, choice: string, by: string): string;
  answersConflict(question: string, said: string[]): string;
  definition(definition: Definition, path: string, comment: string, needs: string[]): string;
  mention(name: string, line: string, needs: string[]): string;
  route(route: string, needs: string[]): string;
  document(line: string, needs: string[]): string;
  tests(path: string, count: number, needs: string[]): string;
  summary(title: string, requirements: number, files: string[]): string;
  goal(title: string, first: string[]): string;
  unitTitle(area: Area, topic: string): string;
  why(ids: string[], first: string): string;
  place(name: string, path: string, start: number, end: number, comment: string): string;
  newFile(path: string): string;
  decisionHolds(decision: string): string;
  run(command: string, tests: string[]): string;
  call(route: string): string;
  reread(paths: string[]): string;
  byHand(criterion: string): string;
  sharedFile(path: string, units: string[]): string;
  migration: string;
  noTests: string;
  noFiles: string;
  cut: string;
  unconfirmed(count: number): string;
  superseded(text: string): string;
  missingGoal: string;
  missingBehaviour: string;
  missingAcceptance: string;
  missingPlace: string;
}

const AREA_EN: Record<Area, (topic: string) => string> = {
  data: (topic) => `Store what is needed: ${topic}`,
  logic: (topic) => `Implement the rule: ${topic}`,
  api: (topic) => `Offer it at the interface: ${topic}`,
  ui: (topic) => `Show it: ${topic}`,
  config: (topic) => `Make it configurable: ${topic}`,
  test: (topic) => `Test it: ${topic}`,
  docs: (topic) => `Document it: ${topic}`,
};

const AREA_JA: Record<Area, string> = {
  data: 'データの保存',
  logic: '処理の実装',
  api: 'インターフェースの提供',
  ui: '画面への表示',
  config: '設定の追加',
  test: 'テスト',
  docs: 'ドキュメントの更新',
};

function needed(ids: string[]): string {
  return ids.length === 0 ? '' : ` Matters for ${ids.join(', ')}.`;
}

const en: PlanTexts = {
  asToday: 'as it is today',
  noneOfThem: 'none of the proposed options, without saying what instead',
  assumed: (question, choice) => `${choice} (assumed, nobody confirmed it). Asked was: ${question}`,
  decided: (question, choice, by) => `${choice} (decided by ${by || 'a member'}). The question was: ${question}`,
  answersConflict: (question, said) =>
    `Answers contradict each other: "${question}" (${said.join('; ')}). The plan follows the first; settle it before work begins.`,
  definition: (definition, path, comment, needs) =>
    `\`${definition.name}\` (${definition.kind}) is defined in ${path}.${comment ? ` Its comment says: "${comment}"` : ''}${needed(needs)}`,
  mention: (name, line, needs) => `\`${name}\` stands here: "${line}".${needed(needs)}`,
  route: (route, needs) => `\`${route}\` is registered here.${needed(needs)}`,
  document: (line, needs) => `The documentation says here: "${line}". It must stay true.${needed(needs)}`,
  tests: (path, count, needs) => `${path} holds the existing tests of this area (${count} cases).${needed(needs)}`,
  summary: (title, requirements, files) =>
    `"${title}" asks for ${requirements} things. ${files.length > 0 ? `The code they touch is mainly in ${files.join(', ')}.` : 'No file of the repository could be tied to them.'}`,
  goal: (title, first) => `${title}. ${first.join(' ')}`.trim(),
  unitTitle: (area, topic) => AREA_EN[area](topic),
  why: (ids, first) => `Fulfils ${ids.join(', ')}: ${first}`,
  place: (name, path, start, end, comment) =>
    `Change \`${name}\` in ${path} (lines ${start}–${end})${comment ? `: "${comment}"` : '.'}`,
  newFile: (path) => `${path} does not exist yet.`,
  decisionHolds: (decision) => `Holds to: ${decision}`,
  run: (command, tests) =>
    tests.length > 0
      ? `Run \`${command}\`; ${tests.map((path) => `\`${path}\``).join(' and ')} must cover the criteria above.`
      : `Run \`${command}\`.`,
  call: (route) => `Call \`${route}\` and compare status and body with the criteria above.`,
  reread: (paths) => `Read ${paths.map((path) => `\`${path}\``).join(', ')} against what was built.`,
  byHand: (criterion) => `Try it by hand: ${criterion}`,
  sharedFile: (path, units) =>
    `${units.join(', ')} change ${path} one after the other; a conflict there costs the most.`,
  migration: 'The migration must be able to run while the old version still serves; try it on a copy of real data.',
  noTests: 'The repository shows no tests of this area, so a regression would go unnoticed until the new ones exist.',
  noFiles: 'No file could be tied to the item; the places of change must be confirmed before work begins.',
  cut: 'The item is longer than what was read; its end is not planned.',
  unconfirmed: (count) =>
    `${count} decisions are assumptions that nobody confirmed; if one is wrong, the units that hold to it change.`,
  superseded: (text) => `Superseded by a decision: ${text}`,
  missingGoal: 'The goal: who needs this, and what should be possible afterwards that is not possible today?',
  missingBehaviour: 'The expected behaviour: what exactly should happen, with an example of input and result?',
  missingAcceptance: 'Acceptance criteria: how can one see that it is done (numbers, limits, cases)?',
  missingPlace: 'The place: which page, call, command or file is concerned?',
};

const ja: PlanTexts = {
  asToday: '現状のまま',
  noneOfThem: '提案した選択肢のいずれでもない（代案の記載なし）',
  assumed: (question, choice) => `${choice}（仮定、未確認）。質問：${question}`,
  decided: (question, choice, by) => `${choice}（${by || 'メンバー'} の決定）。質問：${question}`,
  answersConflict: (question, said) =>
    `回答が食い違っています：「${question}」（${said.join('、')}）。計画は最初の回答に従います。着手前に確認してください。`,
  definition: (definition, path, comment, needs) =>
    `\`${definition.name}\` は ${path} で定義されています。${comment ? `コメント：「${comment}」` : ''}${needs.length ? `関係する要件：${needs.join('、')}。` : ''}`,
  mention: (name, line, needs) =>
    `\`${name}\` の箇所：「${line}」。${needs.length ? `関係する要件：${needs.join('、')}。` : ''}`,
  route: (route, needs) =>
    `\`${route}\` はここで登録されています。${needs.length ? `関係する要件：${needs.join('、')}。` : ''}`,
  document: (line, needs) =>
    `ドキュメントの記述：「${line}」。変更に合わせて更新が必要です。${needs.length ? `関係する要件：${needs.join('、')}。` : ''}`,
  tests: (path, count, needs) =>
    `${path} にこの領域の既存テストがあります（${count} 件）。${needs.length ? `関係する要件：${needs.join('、')}。` : ''}`,
  summary: (title, requirements, files) =>
    `「${title}」には ${requirements} 件の要件があります。${files.length > 0 ? `主に関係するコードは ${files.join('、')} です。` : '関係するファイルは見つかりませんでした。'}`,
  goal: (title, first) => `${title}。${first.join(' ')}`.trim(),
  unitTitle: (area, topic) => `${AREA_JA[area]}：${topic}`,
  why: (ids, first) => `${ids.join('、')} を満たすため：${first}`,
  place: (name, path, start, end, comment) =>
    `${path} の \`${name}\`（${start}–${end} 行）を変更します${comment ? `（コメント：「${comment}」）` : ''}。`,
  newFile: (path) => `${path} はまだありません。`,
  decisionHolds: (decision) => `決定に従う：${decision}`,
  run: (command, tests) =>
    tests.length > 0
      ? `\`${command}\` を実行し、${tests.map((path) => `\`${path}\``).join('、')} が上の条件を確認していること。`
      : `\`${command}\` を実行する。`,
  call: (route) => `\`${route}\` を呼び出し、ステータスと内容を上の条件と比べる。`,
  reread: (paths) => `${paths.map((path) => `\`${path}\``).join('、')} の記述が実装と一致することを確認する。`,
  byHand: (criterion) => `手動で確認する：${criterion}`,
  sharedFile: (path, units) => `${units.join('、')} は同じ ${path} を順に変更するため、競合に注意が必要です。`,
  migration: 'マイグレーションは旧版の稼働中に実行できる必要があります。実データの写しで試してください。',
  noTests: 'この領域の既存テストが見つからず、新しいテストができるまで不具合に気付けません。',
  noFiles: '関係するファイルが見つからないため、着手前に変更箇所の確認が必要です。',
  cut: '説明が長く、読み取った範囲の後は計画に含まれていません。',
  unconfirmed: (count) => `${count} 件の決定は未確認の仮定です。誤っていた場合、該当する作業が変わります。`,
  superseded: (text) => `決定により不採用：${text}`,
  missingGoal: '目的：誰のために、何ができるようになるべきか。',
  missingBehaviour: '期待する動作：何が起こるべきか（入力と結果の例）。',
  missingAcceptance: '受け入れ条件：完了をどう確認するか（数値、上限、具体的な場合）。',
  missingPlace: '場所：どの画面、API、コマンド、ファイルのことか。',
};

export function planTexts(language: Language): PlanTexts {
  return language === 'ja' ? ja : en;
}
