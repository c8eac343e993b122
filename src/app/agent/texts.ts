/** What the agent loop says to an agent, in the piece's language. */
export type PieceLanguage = 'en' | 'ja';

export interface LoopTexts {
  dataProblems(problems: string[], left: number): string;
  empty: string;
  cutOff: string;
  lastStep: string;
}

export const loopTexts: Record<PieceLanguage, LoopTexts> = {
  en: {
    dataProblems: (problems, left) =>
      `Your output was not accepted:\n${list(problems)}\n\nGive the whole output again with this corrected. Tries left after this one: ${left}.`,
    empty: 'The output was empty.',
    cutOff: 'The output was cut off at its length limit. Give it again, whole and shorter.',
    lastStep:
      'No more tool calls are possible. Give your output now with what you know, and say what you could not check.',
  },
  ja: {
    dataProblems: (problems, left) =>
      `出力は受け付けられませんでした:\n${list(problems)}\n\n修正した出力の全体をもう一度出してください。この後の残り回数: ${left}。`,
    empty: '出力が空でした。',
    cutOff: '出力が長さの上限で途切れました。全体をより短くしてもう一度出してください。',
    lastStep: 'これ以上ツールは使えません。分かっている内容で出力し、確認できなかった点を書いてください。',
  },
};

function list(problems: string[]): string {
  return problems.map((problem) => `- ${problem}`).join('\n');
}
