/** A status as people read it on a terminal. What models and people wrote is printed so that it cannot act there. */
import type { StatusAnswer } from '../app/status.ts';
import { amountsOf } from '../domain/run/budget.ts';
import { plainLine } from './plain.ts';

export function describeStatus(status: StatusAnswer): string {
  const lines = [headOf(status)];
  if (status.waitsForTurn) lines.push(`Waiting for its turn: ${status.waitsForTurn.ahead} ahead`);
  if (status.message) lines.push(status.message);
  for (const question of status.questions) lines.push(...questionLines(status, question));
  if (status.pause) lines.push(...pauseLines(status.pause));
  if (status.workplan) {
    lines.push('', status.workplan.goal);
    for (const unit of status.workplan.units) {
      const after = unit.dependsOn.length > 0 ? `  after ${unit.dependsOn.join(', ')}` : '';
      lines.push(`  ${unit.id} [${unit.size}] ${unit.title}${after}`);
    }
  }
  if (status.score) lines.push('', `Score ${status.score.value} (${status.score.band})`);
  if (status.workplanUrl) lines.push('', `Workplan: ${status.workplanUrl}`);
  for (const kind of status.deliveryFailed ?? []) lines.push('', `A note could not be delivered: ${kind}`);
  for (const warning of status.warnings ?? []) lines.push('', `Warning: ${warning.message}`);
  if (status.provider) lines.push('', `Provider: ${status.provider}`);
  if (status.budget && status.budget.run.tokens > 0) lines.push(usedLine(status.budget));
  return `${lines.map(plainLine).join('\n')}\n`;
}

function headOf({ generationStatus, pause, reason }: StatusAnswer): string {
  return `${generationStatus}${pause ? ` (${pause.kind})` : ''}${reason ? `: ${reason}` : ''}`;
}

function questionLines({ answers }: StatusAnswer, question: StatusAnswer['questions'][number]): string[] {
  const lines = ['', `${question.state === 'open' ? '?' : '✔'} ${question.question}`];
  question.options.forEach((option, index) => {
    lines.push(`    ${index + 1}. ${option.label}${option.recommended ? '  (recommended)' : ''}`);
  });
  for (const answer of answers.filter(({ questionId }) => questionId === question.id)) {
    const chosen = question.options.filter((option) => answer.optionIds.includes(option.id));
    const said = chosen.length > 0 ? chosen.map((option) => option.label).join(', ') : answer.text;
    lines.push(`    → ${said}  (${answer.by.username})`);
  }
  if (question.noteUrl) lines.push(`    ${question.noteUrl}`);
  return lines;
}

/** What the run has used; money only where it is known and something. */
function usedLine({ run, currency }: NonNullable<StatusAnswer['budget']>): string {
  const tokens = `Used: ${run.tokens.toLocaleString('en')} tokens`;
  if (run.money === null) return `${tokens}, at a price that is not known`;
  return run.money > 0 ? `${tokens}, ${run.money.toFixed(2)} ${currency}` : tokens;
}

/** What a person can do now. */
function pauseLines({ kind, missing = [], budget }: NonNullable<StatusAnswer['pause']>): string[] {
  if (budget) {
    const whose = budget.scope === 'run' ? 'of this run' : "of the project's day";
    return [
      '',
      `The budget ${whose} is used up: ${amountsOf(budget)}. When there is more: planwright continue ISSUE_URL`,
    ];
  }
  if (kind === 'context_gate')
    return [
      '',
      'The description says too little. Add to it:',
      ...missing.map((what) => `    - ${what}`),
      'Then: planwright continue ISSUE_URL',
    ];
  if (kind === 'approval')
    return ['', 'It waits for approval: planwright approve ISSUE_URL, or planwright reject ISSUE_URL REASON'];
  if (kind === 'question')
    return [
      '',
      'Answer in the threads above, then: planwright continue ISSUE_URL. What stays open gets the recommended answer.',
    ];
  return ['', 'To go on: planwright continue ISSUE_URL'];
}
