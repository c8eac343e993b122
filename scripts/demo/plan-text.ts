/** The Workplan in short: what a person wants to see first. The whole of it stands in the note. */
import type { StatusAnswer } from '../../src/app/status.ts';

export function planInShort(workplan: NonNullable<StatusAnswer['workplan']>): string {
  const { goal, requirements, findings, decisions, units, risks, openQuestions } = workplan;
  const parts = [
    goal,
    section('Requirements', requirements, ({ id, text }) => `${id} ${text}`),
    section('Decisions', decisions, ({ text, confirmed }) => `- ${text}${confirmed ? '' : '  (assumed)'}`),
    section('Units', units, unitText),
    section('Risks', risks, (risk) => `- ${risk}`),
    section('Open questions', openQuestions, (question) => `- ${question}`),
    `${findings.length} findings in the code, each with file and lines at one commit.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function section<T>(title: string, entries: readonly T[], textOf: (entry: T) => string): string {
  return entries.length === 0 ? '' : [`**${title}**`, ...entries.map(textOf)].join('\n');
}

function unitText(unit: NonNullable<StatusAnswer['workplan']>['units'][number]): string {
  const { id, title, size, files, dependsOn, parallelWith, covers } = unit;
  const facts = [
    dependsOn.length > 0 ? `after ${dependsOn.join(', ')}` : '',
    parallelWith.length > 0 ? `beside ${parallelWith.join(', ')}` : '',
    `covers ${covers.join(', ')}`,
  ];
  const paths = files.map(({ path, state }) => (state === 'new' ? `${path} (new)` : path));
  return [
    `${id} ${title}  [${size}]`,
    `   ${facts.filter(Boolean).join('; ')}`,
    ...(paths.length > 0 ? [`   ${paths.join(', ')}`] : []),
  ].join('\n');
}
