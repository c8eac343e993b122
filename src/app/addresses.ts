/** Addresses of the service that people and notes are given. */

/** Where the status of an item's plan is read. `project`: numeric id or path. */
export function statusUrl(publicUrl: string, project: string | number, iid: number): string {
  return `${publicUrl}/api/v1/projects/${encodeURIComponent(project)}/issues/${iid}/workplan`;
}
