/** A status as people read it on a terminal. What models and people wrote is printed so that it cannot act there. */
import type { StatusAnswer } from '../app/status.ts';
import { plainLine } from './plain.ts';

export function describeStatus(status: StatusAnswer): string {
  const lines = [headOf(status)];
  if (status.waitsForTurn) lines.push(`Waiting for its turn: ${status.waitsForTurn.ahead} ahead`);
  if (status.message) lines.push(status.message);
  for (const question of status.questions) {
    lines.push('', `${question.state === 'open' ? '?' : '✔'} ${question.question}`);
    question.options.forEach((option, index) => {
      lines.push(`    ${index + 1}. ${option.label}${option.recommended ? '  (recommended)' : ''}`);
    });
    if (question.noteUrl) lines.push(`    ${question.noteUrl}`);
  }
  if (status.workplan) {
    lines.push('', status.workplan.goal);
    for (const unit of status.workplan.units) {
      const after = unit.dependsOn.length > 0 ? `  after ${unit.dependsOn.join(', ')}` : '';
      lines.push(`  ${unit.id} [${unit.size}] ${unit.title}${after}`);
    }
  }
  if (status.score) lines.push('', `Score ${status.score.value} (${status.score.band})`);
  for (const kind of status.deliveryFailed ?? []) lines.push('', `A note could not be delivered: ${kind}`);
  for (const warning of status.warnings ?? []) lines.push('', `Warning: ${warning.message}`);
  if (status.provider) lines.push('', `Provider: ${status.provider}`);
  return `${lines.map(plainLine).join('\n')}\n`;
}

function headOf({ generationStatus, pause, reason }: StatusAnswer): string {
  return `${generationStatus}${pause ? ` (${pause.kind})` : ''}${reason ? `: ${reason}` : ''}`;
}
