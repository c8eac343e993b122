/**
 * What reasons of an end and codes of a refusal mean, for people, by language. Languages without a table show the English
 * sentence that came with the code.
 */
type Reasons = Readonly<Record<string, string>>;

const en: Reasons = {
  canceled: 'A person stopped it.',
  item_closed: 'The item is closed.',
  item_moved: 'The item was moved.',
  pause_expired: 'Nobody continued the run before its pause expired.',
  deadline: 'The time limit of this run was reached.',
  budget: 'The run used up its budget.',
};

const ja: Reasons = {
  canceled: '担当者が中止しました。',
  item_closed: 'この項目はクローズされています。計画するには再オープンしてください。',
  item_moved: 'この項目は移動されました。',
  pause_expired: '待機の期限までに再開されませんでした。',
  deadline: '実行の制限時間に達しました。',
  budget: '実行の予算を使い切りました。',
  max_iterations: '手順の上限回数に達しました。',
  aborted: 'ピースの規則により中止しました。',
  no_rule_matched: 'エージェントの出力に当てはまる規則がありませんでした。',
  needs_context: '説明が足りず、質問もできない設定のため終了しました。',
  project_gone: 'プロジェクトが見つからないか、ボットがメンバーではありません。',
  item_gone: '項目が見つからないか、ボットには見えません。',
  piece_invalid: 'ピースに誤りがあり、使えません。',
  piece_missing: '指定されたピースはこのサービスにありません。',
  piece_without_workplan: 'このピースは Workplan を作れません。',
  group_level_item: 'プロジェクトに属する項目だけを計画できます。',
  disabled: 'このプロジェクトでは設定ファイルにより計画が無効です。',
  settings_invalid: '設定ファイルに誤りがあります。',
  forbidden: 'この操作の権限がありません。',
  already_running: 'この項目の計画はすでに作成中です。',
  already_continued: 'この待機はすでに再開されています。',
  not_resumable: '今は再開できる状態ではありません。',
  not_running: 'この項目の計画は作成されていません。',
  bot_cannot_see_item: 'ボットがこの項目を見られません。',
  not_possible_now: '今は実行できませんでした。しばらくしてからもう一度お試しください。',
  not_supported: 'この操作にはまだ対応していません。',
};

const REASONS: ReadonlyMap<string, Reasons> = new Map(Object.entries({ en, ja }));

/** Whose English sentence says nothing that the text of the code does not say. */
const WHOLE: ReadonlySet<string> = new Set([
  'canceled',
  'item_closed',
  'item_moved',
  'pause_expired',
  'deadline',
  'budget',
  'project_gone',
  'item_gone',
  'already_running',
  'already_continued',
  'not_running',
]);

/**
 * What to show for a code: `text` in the language, and `detail`, the English sentence that came with it where it says more. Both may be
 * empty. In English the sentence itself is the text.
 */
export function reasonText(language: string, code: string, sentence: string): { text: string; detail: string } {
  const tag = language.toLowerCase().split(/[-_]/)[0] ?? 'en';
  const own = tag === 'en' ? undefined : lookUp(tag, code);
  if (own === undefined) return { text: sentence === '' ? (lookUp('en', code) ?? '') : sentence, detail: '' };
  return { text: own, detail: WHOLE.has(code) ? '' : sentence };
}

function lookUp(tag: string, code: string): string | undefined {
  const table = REASONS.get(tag);
  return table && Object.hasOwn(table, code) ? table[code] : undefined;
}
