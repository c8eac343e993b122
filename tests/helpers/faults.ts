/** Failures of the sandbox GitLab that a test asks for (its `POST /_sandbox/faults`). */
import { request, type SceneService } from './scene.ts';

export interface Fault {
  method?: string;
  /** A regular expression on the path without `/api/v4`. */
  path: string;
  status?: number;
  afterCommit?: boolean;
  delayMs?: number;
  times?: number;
  skip?: number;
  headers?: Record<string, string>;
}

export async function fault(service: Pick<SceneService, 'sandbox'>, wanted: Fault): Promise<void> {
  const { status, body } = await request(`${service.sandbox.url}/_sandbox/faults`, 'POST', {}, wanted);
  if (status !== 201) throw new Error(`The fault was not taken: ${JSON.stringify(body)}`);
}

/** How many answers are still to fail. */
export async function faultsLeft(service: Pick<SceneService, 'sandbox'>): Promise<number> {
  const { body } = await request(`${service.sandbox.url}/_sandbox/faults`, 'GET', {});
  return body.reduce((sum: number, { left }: { left: number }) => sum + left, 0);
}

export async function clearFaults(service: Pick<SceneService, 'sandbox'>): Promise<void> {
  await request(`${service.sandbox.url}/_sandbox/faults`, 'DELETE', {});
}
