/** Files that are seldom what is to be changed count less, unless the issue is about them. */
import type { PathKind } from '../path-kind.ts';

/** What in a title says that a kind of file is meant. */
const ASKED: readonly (readonly [RegExp, readonly PathKind[], number])[] = [
  [/\bvendor/i, ['vendored'], 0.9],
  [/\btest[- ](?:client|runner|case|framework|helpers?|util\w*)\b|\bTestCase\b|\bassert[A-Z_]\w+/, ['test'], 0.7],
  [
    /\b(?:docs?|documentation|readme|typos?|tutorial|guide|changelog)\b|ドキュメント|文档/i,
    ['docs', 'changelog', 'example'],
    0.9,
  ],
  [
    /\b(?:flaky|tests? (?:fail|suite|case|coverage)|unit tests?|add tests?|test coverage|failing tests?)\b/i,
    ['test', 'fixture'],
    0.9,
  ],
  [/\b(?:translations?|locales?|i18n|l10n|localization|internationali[sz]ation)\b|翻訳|翻译/i, ['locale'], 0.9],
  [/\bexamples?\b/i, ['example'], 0.8],
  [/\bbenchmarks?\b/i, ['benchmark'], 0.9],
  [/\b(?:typings?|type definitions?|typescript|types|d\.ts)\b/i, ['types'], 1],
  [
    /\b(?:ci|build|builds|compile|compilation|workflow|pipeline|docker|makefile|cmake|install|packaging|setup\.py)\b/i,
    ['build', 'config'],
    0.9,
  ],
  [/\b(?:dependenc(?:y|ies)|bump|upgrade|package\.json|peer)\b/i, ['config', 'build'], 0.8],
  [/\b(?:css|style|styles|styling|theme|dark mode)\b/i, ['style'], 1],
];

/** The share of its score that a file of each kind keeps, for an issue with this title. */
export function askedKinds(title: string, kinds: Record<PathKind, number>): Record<PathKind, number> {
  const weights = { ...kinds };
  for (const [pattern, meant, at] of ASKED) {
    if (!pattern.test(title)) continue;
    for (const kind of meant) weights[kind] = Math.max(weights[kind], at);
  }
  return weights;
}
