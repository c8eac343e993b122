import { describe, expect, test } from 'vitest';
import {
  isVetoed,
  LABELS,
  labelAction,
  labelChange,
  reactionAction,
  statusLabel,
} from '../../../../src/domain/workplan/labels.ts';

test.each([
  ['GENERATING', 'workplan::generating'],
  ['NEEDS_INPUT', 'workplan::needs_input'],
  ['COMPLETED', 'workplan::completed'],
  ['CANCELED', 'workplan::canceled'],
  ['FAILED', 'workplan::failed'],
  ['NOT_STARTED', null],
])('%s is shown by %s', (status, label) => {
  expect(statusLabel(status)).toBe(label);
});

describe('what has to change', () => {
  test('the others of its kind go, those of people stay', () => {
    const labels = ['bug', 'workplan::generating', 'workplan::failed', 'workplan::mine', 'workplan-do::plan'];

    expect(labelChange(labels, 'workplan::completed')).toEqual({
      add: ['workplan::completed'],
      remove: ['workplan::generating', 'workplan::failed'],
    });
  });

  test('nothing, where it stands alone', () => {
    expect(labelChange(['workplan::completed', 'bug'], 'workplan::completed')).toEqual({ add: [], remove: [] });
  });
});

test.each([
  ['workplan-do::plan', 'plan'],
  ['Workplan-Do::Continue', 'continue'],
  ['workplan-do::cancel', 'cancel'],
  ['workplan-do::replan', 'replan'],
  ['workplan-do::', null],
  ['workplan-do::plan now', null],
  ['workplan-do:plan', undefined],
  ['workplan::plan', undefined],
  ['x workplan-do::plan', undefined],
])('the label %s asks for %s', (name, action) => {
  expect(labelAction(name)).toBe(action);
});

test.each([
  ['arrow_forward', 'continue'],
  ['stop_button', 'cancel'],
  ['black_square_for_stop', 'cancel'],
  ['repeat', 'replan'],
  ['repeat_tone3', 'replan'],
  ['thumbsup', null],
  ['repeat_one', null],
  ['one', null],
])('the reaction %s asks for %s', (name, action) => {
  expect(reactionAction(name)).toBe(action);
});

test('a veto is known in any case of letters, and by its whole name', () => {
  expect(isVetoed(['bug', 'Workplan-Never'])).toBe(true);
  expect(isVetoed(['workplan-never-again'])).toBe(false);
});

test('every label that is used is among those to be made, once and with a colour', () => {
  const names = LABELS.map((label) => label.name);

  const shown = ['GENERATING', 'NEEDS_INPUT', 'COMPLETED', 'CANCELED', 'FAILED'].map(statusLabel);
  expect(names).toEqual(expect.arrayContaining([...shown, 'workplan-never', 'workplan-do::plan']));
  expect(new Set(names).size).toBe(names.length);
  for (const label of LABELS) expect(label.color).toMatch(/^#[0-9a-f]{6}$/);
});
