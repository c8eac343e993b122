/** A run cancelled while its Workplan was being scored: all that people see says the same (spec 2: Cancel while scoring). */
import { describe, expect, test } from 'vitest';
import { announce } from '../../../src/app/announce.ts';
import type { RunEventBody } from '../../../src/domain/run/events.ts';
import { initialState } from '../../../src/domain/run/fold.ts';
import { LANGUAGES } from '../../../src/domain/workplan/language.ts';
import { plan } from '../domain/workplan/plans.ts';
import { record } from './effects/asked.ts';
import { personOf, runSettings } from './setup.ts';

const item = {
  globalId: 501,
  projectId: 1,
  projectPath: 'acme/sample',
  iid: 1,
  title: 'Limit the export',
  webUrl: 'https://gitlab.example/i',
  reference: 'acme/sample#1',
};

function canceledWhileScoring(language = 'en') {
  const state = initialState('run-a');
  const started = { goal: 'g', startedBy: personOf('alice'), item, interactive: true, reportDir: 'r', carried: [] };
  record(state, { type: 'run_started', ...started });
  record(state, { type: 'pinned', effectId: 'p', commit: null, language });
  record(state, { type: 'movement_started', movement: 'write', iteration: 1, movementIteration: 1, subs: [] });
  const data = { workplan: plan(), scoring: true };
  record(state, { type: 'action_finished', effectId: 'e', movement: 'write', outcome: 'done', message: '', data });
  const ended: RunEventBody = {
    type: 'ended',
    status: 'canceled',
    reason: 'canceled',
    message: '',
    by: personOf('maria'),
  };
  record(state, ended);
  return announce(state, [ended], runSettings);
}

test('is CANCELED, and so is its score; the plan stays', () => {
  expect(canceledWhileScoring().row).toMatchObject({
    status: 'CANCELED',
    scoreStatus: 'CANCELED',
    view: { workplan: { goal: plan().goal } },
  });
});

test('is told by its two notes alone: the Workplan without a score, and why there is none', () => {
  const { outbox } = canceledWhileScoring();

  expect(outbox.map((row) => row.kind)).toEqual(['plan', 'cancel']);
  expect(outbox[0]?.body).toContain('no score: scoring was canceled');
  expect(outbox[1]?.body).toContain('scoring was stopped; the Workplan stays, without a score');
});

describe('in every language', () => {
  test.each(LANGUAGES)('%s', (language) => {
    const texts = canceledWhileScoring(language).outbox.map((row) => row.body);

    expect(texts.join().includes('scoring was')).toBe(language === 'en');
  });
});
