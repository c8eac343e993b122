/** Labels and reactions of people on the items of a scene. */
import { quiet, type Scene, type SceneService } from './scene.ts';

export async function addLabels(scene: Scene, username: string, iid: number, ...names: string[]): Promise<void> {
  const { status } = await scene.as(username).gitlab('PUT', `/issues/${iid}`, { add_labels: names.join(',') });
  if (status !== 200) throw new Error(`labels as ${username}: ${status}`);
}

export async function removeLabels(scene: Scene, username: string, iid: number, ...names: string[]): Promise<void> {
  const { status } = await scene.as(username).gitlab('PUT', `/issues/${iid}`, { remove_labels: names.join(',') });
  if (status !== 200) throw new Error(`labels as ${username}: ${status}`);
}

export async function labelsOf(scene: Scene, iid: number): Promise<string[]> {
  return (await scene.as('maria').gitlab('GET', `/issues/${iid}`)).body.labels;
}

/** Reacts to a note; answers the reaction's id. */
export async function react(
  scene: Scene,
  username: string,
  iid: number,
  noteId: number,
  name: string,
): Promise<number> {
  const answer = await scene.as(username).gitlab('POST', `/issues/${iid}/notes/${noteId}/award_emoji`, { name });
  if (answer.status !== 201) throw new Error(`reaction as ${username}: ${answer.status}`);
  return answer.body.id;
}

/** The status note of the item's newest run. */
export function statusNote(scene: Scene, iid: number): { id: number; body: string } {
  const note = scene.ours(iid).findLast((own) => own.body.includes('kind=status'));
  if (!note) throw new Error(`issue ${iid} has no status note`);
  return note;
}

/** Sends every delivery of the project's hooks once more, as GitLab does when it is asked to. */
export async function redeliverAll(service: SceneService, scene: Scene): Promise<void> {
  const hooks = service.sandbox.state.project(scene.id).hooks.map((hook) => hook.id);
  for (const delivery of service.sandbox.state.deliveries.filter((known) => hooks.includes(known.hookId))) {
    // As another hook would tell it: nothing but its content is the same.
    const body = { ...JSON.parse(delivery.body), event_uuid: `again-${delivery.id}` };
    await service.infra.inbox.put({
      id: `again-${delivery.id}`,
      event: delivery.event,
      itemKey: `${scene.id}/1`,
      body: JSON.stringify(body),
    });
  }
  await service.infra.act.queue.wakeDeliveries();
  await quiet(service);
}
