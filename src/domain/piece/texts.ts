/** What the engine itself puts into prompts, in the piece's language (spec 1: `language`). */

export interface EngineTexts {
  context: string;
  workingDirectory: string;
  piece: string;
  movement: string;
  iteration: string;
  movementIteration(count: number): string;
  task: string;
  previousResponse: string;
  userInputs: string;
  question: string;
  answer: string;
  cut: string;
  assume: string;
  reportMissing: string;
  reportTitle: string;
  reportSingle: string[];
  reportList: string[];
  reportFile: string;
  reportOrder: string;
  reportFormat: string;
  reportEntry(number: number, label: string, file: string): string;
  dataTitle: string;
  dataIntro(kinds: string[]): string;
  dataKind(kind: string): string;
  inputsTitle: string;
  inputsIntro: string;
  inputsRequired: string;
  inputsOptional: string;
  statusTitle: string;
  statusIntro: string[];
  loopDefault: string;
}

const en: EngineTexts = {
  context: '## Execution context',
  workingDirectory: 'Working directory',
  piece: 'Piece',
  movement: 'Movement',
  iteration: 'Iteration',
  movementIteration: (count) => `Movement iteration: ${count}`,
  task: '## Task',
  previousResponse: '## Previous response',
  userInputs: '## User inputs',
  question: 'Question',
  answer: 'Answer',
  cut: '[cut: the text was too long]',
  assume:
    'Nobody who may answer did. Go on with the recommended answers as your best assumptions, record each as an assumption that is not confirmed, and do not ask again.',
  reportMissing: '(report not written yet)',
  reportTitle: '## Report output (required)',
  reportSingle: [
    'When your work is done, write the report in the format below.',
    'Put the report into a fenced ```markdown block.',
  ],
  reportList: [
    'When your work is done, write each of the reports below.',
    'Put each report under a heading of its own into a fenced ```markdown block.',
  ],
  reportFile: 'File name',
  reportOrder: 'Instructions',
  reportFormat: 'Format',
  reportEntry: (number, label, file) => `${number}. ${label} → File name: ${file}`,
  dataTitle: '## Data output (required)',
  dataIntro: (kinds) =>
    kinds.length === 1
      ? 'Give the result as data: one fenced block with the info string below, holding one JSON value that fits the JSON Schema. If you write several, the last counts.'
      : 'Give the result as data of exactly one of the kinds below: one fenced block with the info string of that kind, holding one JSON value that fits its JSON Schema. If you write several of the kind, the last counts.',
  dataKind: (kind) => `Kind \`${kind}\`: begin the block with the line \`\`\`json:${kind}\nJSON Schema:`,
  inputsTitle: '## Values to hand over (required)',
  inputsIntro:
    'Besides everything else give the values below: one fenced block that begins with the line ```json:inputs, holding one JSON object with these names and no others. If you write several, the last counts.',
  inputsRequired: 'required',
  inputsOptional: 'may be left out',
  statusTitle: '## Status output (required)',
  statusIntro: [
    'After all work and all reports are done, end with exactly one of the tags below.',
    'Choose the one that fits the result of your work best.',
  ],
  loopDefault:
    'The cycle has run {cycle_count} times in a row. Judge whether it makes progress or goes in circles, and say why in a few sentences.',
};

const ja: EngineTexts = {
  context: '## 実行コンテキスト',
  workingDirectory: 'ワーキングディレクトリ',
  piece: 'ピース',
  movement: 'Movement',
  iteration: 'イテレーション',
  movementIteration: (count) => `Movement イテレーション: ${count} 回目`,
  task: '## タスク',
  previousResponse: '## 前の Movement の出力',
  userInputs: '## ユーザー入力',
  question: '質問',
  answer: '回答',
  cut: '［長すぎるため省略］',
  assume:
    '回答できる人からの回答はありませんでした。推奨された回答を最善の仮定として作業を続け、それぞれを未確認の仮定として記録し、同じ質問を繰り返さないでください。',
  reportMissing: '（レポート未作成）',
  reportTitle: '## レポート出力（必須）',
  reportSingle: [
    '作業完了後、以下のフォーマットに従ってレポートを出力してください。',
    'レポートは ```markdown ブロックで囲んで出力してください。',
  ],
  reportList: [
    '作業完了後、以下の各レポートを出力してください。',
    '各レポートは見出し付きの ```markdown ブロックで囲んで出力してください。',
  ],
  reportFile: 'ファイル名',
  reportOrder: '指示',
  reportFormat: 'フォーマット',
  reportEntry: (number, label, file) => `${number}. ${label} → ファイル名: ${file}`,
  dataTitle: '## データ出力（必須）',
  dataIntro: (kinds) =>
    kinds.length === 1
      ? '結果をデータとして出力してください。以下の情報文字列を付けたコードブロックを1つ書き、その中に JSON Schema に適合する JSON を1つだけ入れてください。複数ある場合は最後のものを採用します。'
      : '結果を以下の種類のうちちょうど1つのデータとして出力してください。その種類の情報文字列を付けたコードブロックを1つ書き、その中に JSON Schema に適合する JSON を1つだけ入れてください。同じ種類が複数ある場合は最後のものを採用します。',
  dataKind: (kind) => `種類 \`${kind}\`: ブロックは \`\`\`json:${kind} の行で始めてください\nJSON Schema:`,
  inputsTitle: '## 引き渡す値（必須）',
  inputsIntro:
    '他の出力に加えて、以下の値を渡してください。```json:inputs の行で始まるコードブロックを1つ書き、その中に以下の名前だけを持つ JSON オブジェクトを1つ入れてください。複数ある場合は最後のものを採用します。',
  inputsRequired: '必須',
  inputsOptional: '省略可',
  statusTitle: '## ステータス出力（必須）',
  statusIntro: [
    '全ての作業とレポート出力が完了した後、最後に以下のいずれかのタグを出力してください。',
    'あなたの作業結果に最も合致するものを1つだけ選んでください。',
  ],
  loopDefault:
    'サイクルが {cycle_count} 回連続で繰り返されました。進捗があるか、非生産的な繰り返しかを判断し、理由を簡潔に述べてください。',
};

/** The texts of a language. */
export function engineTexts(language: 'en' | 'ja'): EngineTexts {
  return language === 'ja' ? ja : en;
}
