import { EVERY_PROJECT, type ProjectWarnings, type RaisedWarning } from '../../ports/project-warnings.ts';
import { cleanText } from './clean.ts';
import type { Executor } from './connect.ts';

/** Warnings of projects on PostgreSQL or PGlite. */
export function createProjectWarnings(db: Executor): ProjectWarnings {
  return {
    async raise({ projectId, code, detail }) {
      await db.execute(raise(projectId), [projectId, code, cleanText(detail)]);
    },
    async clear(projectId, code) {
      await db.execute(clear(projectId), [projectId, code]);
    },
    of: (projectId) => db.execute<RaisedWarning>(OF, [projectId, EVERY_PROJECT]),
  };
}

/** Live runs of a project are found by its items, which the watch over projects knows; what is of the whole service all of them show. */
const seenBy = (projectId: number): string =>
  projectId === EVERY_PROJECT
    ? 'update runs r set version = r.version + 1 from changed c where r.live and c.new'
    : `update runs r set version = r.version + 1
from changed c, project_items i
where i.project_id = c.project_id and r.item_global_id = i.item_global_id and r.live and c.new`;

/** Part of a statement's name, which stands for one text. */
const ofAll = (projectId: number): string => (projectId === EVERY_PROJECT ? '_of_all' : '');

const raise = (projectId: number): string => `-- raise_warning${ofAll(projectId)}
with before as materialized (
  select detail from project_warnings where project_id = $1::bigint and code = $2::text
),
changed as (
  insert into project_warnings as w (project_id, code, detail) values ($1::bigint, $2::text, $3::text)
  on conflict (project_id, code) do update set detail = excluded.detail, at = now()
  returning w.project_id, not exists (select from before b where b.detail = w.detail) as new
)
${seenBy(projectId)}`;

const clear = (projectId: number): string => `-- clear_warning${ofAll(projectId)}
with changed as (
  delete from project_warnings where project_id = $1::bigint and code = $2::text returning project_id, true as new
)
${seenBy(projectId)}`;

const OF = `-- warnings_of_project
select code, detail, at from project_warnings where project_id in ($1::bigint, $2::bigint) order by code`;
