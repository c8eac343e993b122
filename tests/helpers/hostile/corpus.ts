/** Every hostile text: as a model might hand it over, or a person might have written it for a model to hand on. */
import { COMMAND_NAMES } from '../../../sandbox/quick-action-names.ts';
import { GLFM } from './glfm.ts';
import { type Hostile, PLAIN } from './texts.ts';

/** Every quick action that GitLab documents, with an argument that most of them take. */
const COMMANDS: Hostile[] = [...COMMAND_NAMES, 'shrug', 'tableflip'].map((name) => ({
  name: `command: /${name}`,
  text: `Words.\n/${name} ${argumentOf(name)}\nMore words.`,
  keeps: [`/${name}`, 'More words'],
}));

function argumentOf(name: string): string {
  if (/label/.test(name)) return '~owned';
  if (/assign|review/.test(name)) return '@bob';
  if (/estimate|spen[dt]/.test(name)) return '1h 30m';
  if (/weight/.test(name)) return '3';
  if (/due/.test(name)) return '2026-05-01';
  if (/award|react/.test(name)) return ':tada:';
  if (/move|clone/.test(name)) return 'acme/other';
  if (/type|promote_to$/.test(name)) return 'incident';
  return '#1';
}

export const HOSTILE: readonly Hostile[] = [...PLAIN, ...GLFM, ...COMMANDS];
