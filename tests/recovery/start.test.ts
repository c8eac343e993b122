/** A worker that starts while the database is away. */
import { expect, test } from 'vitest';
import { TransientFailure } from '../../src/ports/failures.ts';
import { CLEAR_ISSUE, SMALL_FILES } from '../fixtures/small-project.ts';
import { openStation } from '../helpers/recovery.ts';
import { sharedPlace } from '../helpers/recovery-place.ts';
import { openScene } from '../helpers/scene.ts';

const place = sharedPlace();

test('works on all the same, also on what was begun before', async () => {
  const station = await openStation(place);
  try {
    const scene = await openScene(station, { files: SMALL_FILES, issues: [CLEAR_ISSUE] });
    await scene.as('alice').act(1, 'plan');
    const { store } = station.infra.act;
    const { findAbandoned } = store;
    store.findAbandoned = async () => {
      store.findAbandoned = findAbandoned;
      throw new TransientFailure('store_unavailable', 'The database cannot be reached.');
    };

    await station.survivor();

    expect((await scene.reach(1, 'COMPLETED', 'FAILED')).generationStatus).toBe('COMPLETED');
  } finally {
    await station.stop();
  }
});
