/** Labels and reactions by which people act, and the labels by which boards show where plans stand (spec 2: Actions). */
import { ACTIONS, type Action } from './commands.ts';

/** Before the name of an action: a label that asks for it. */
export const COMMAND_SCOPE = 'workplan-do::';
/** An item with it is planned by no rule. */
export const VETO_LABEL = 'workplan-never';

/** By generationStatus; an item that was never planned carries none. */
const STATUS_LABELS: Readonly<Record<string, string>> = {
  GENERATING: 'workplan::generating',
  NEEDS_INPUT: 'workplan::needs_input',
  COMPLETED: 'workplan::completed',
  CANCELED: 'workplan::canceled',
  FAILED: 'workplan::failed',
};

/** The label that shows a generationStatus; null for `NOT_STARTED`. */
export function statusLabel(status: string): string | null {
  return STATUS_LABELS[status] ?? null;
}

/** Is it one of the labels that show a generationStatus? */
export function isStatusLabel(name: string): boolean {
  return Object.values(STATUS_LABELS).includes(name);
}

/** What has to change so that of the status labels an item carries this one alone; labels of others are left alone. */
export function labelChange(labels: readonly string[], wanted: string): { add: string[]; remove: string[] } {
  return {
    add: labels.includes(wanted) ? [] : [wanted],
    remove: labels.filter((name) => name !== wanted && isStatusLabel(name)),
  };
}

/** The action a label asks for; null: a word that is none; undefined: the label asks for nothing. In any case of letters. */
export function labelAction(name: string): Action | null | undefined {
  const label = name.trim().toLowerCase();
  if (!label.startsWith(COMMAND_SCOPE)) return undefined;
  const word = label.slice(COMMAND_SCOPE.length);
  return ACTIONS.find((known) => known === word) ?? null;
}

export function isVetoed(labels: readonly string[]): boolean {
  return labels.some((name) => name.trim().toLowerCase() === VETO_LABEL);
}

const REACTIONS: ReadonlyMap<string, Action> = new Map([
  ['arrow_forward', 'continue'],
  ['stop_button', 'cancel'],
  ['black_square_for_stop', 'cancel'],
  ['repeat', 'replan'],
]);

/** The action that a reaction to the status note asks for; null: none. Skin tones do not matter. */
export function reactionAction(name: string): Action | null {
  return REACTIONS.get(name.toLowerCase().replace(/[_-]tone\d$|:skin-tone-\d:?$/, '')) ?? null;
}

export interface LabelDefinition {
  name: string;
  /** `#rrggbb`. */
  color: string;
  description: string;
}

/** Every label that the service knows, for who connects a project. */
export const LABELS: readonly LabelDefinition[] = [
  { name: 'workplan-do::plan', color: '#1f75cb', description: 'Add it to have this item planned' },
  {
    name: 'workplan-do::continue',
    color: '#1f75cb',
    description: 'Add it to let the plan go on with the answers given',
  },
  { name: 'workplan-do::cancel', color: '#1f75cb', description: 'Add it to stop planning this item' },
  { name: VETO_LABEL, color: '#737278', description: 'No rule plans this item' },
  { name: 'workplan::generating', color: '#9e5400', description: 'A plan is being made' },
  { name: 'workplan::needs_input', color: '#dd2b0e', description: 'The plan waits for people' },
  { name: 'workplan::completed', color: '#108548', description: 'The plan is written' },
  { name: 'workplan::canceled', color: '#737278', description: 'Planning was stopped' },
  { name: 'workplan::failed', color: '#ae1800', description: 'Planning failed; the status note says why' },
];
