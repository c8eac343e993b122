import { afterAll, beforeAll } from 'vitest';
import { type SandboxHandle, startSandbox } from '../../sandbox/server.ts';
import { openTemplate, type Template } from './recovery.ts';

/** What the stations of one test file share: there from before its first test until after its last. */
export interface SharedPlace {
  readonly template: Template;
  readonly sandbox: SandboxHandle;
}

export function sharedPlace(): SharedPlace {
  let place: SharedPlace | null = null;
  const open = (): SharedPlace => {
    if (place === null) throw new Error('The place is open while tests run only.');
    return place;
  };
  beforeAll(async () => {
    place = { template: await openTemplate(), sandbox: await startSandbox() };
  });
  afterAll(async () => {
    await place?.sandbox.close();
    await place?.template.drop();
  });
  return {
    get template() {
      return open().template;
    },
    get sandbox() {
      return open().sandbox;
    },
  };
}
