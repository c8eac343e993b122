import { EVERY_PROJECT, type ProjectWarnings, type RaisedWarning } from '../../ports/project-warnings.ts';
import { cleanText } from './clean.ts';
import type { Executor } from './connect.ts';

/** Warnings of projects on PostgreSQL or PGlite. */
export function createProjectWarnings(db: Executor): ProjectWarnings {
  return {
    async raise({ projectId, code, detail }) {
      await db.execute(RAISE, [projectId, code, cleanText(detail)]);
    },
    async clear(projectId, code) {
      await db.execute(CLEAR, [projectId, code]);
    },
    of: (projectId) => db.execute<RaisedWarning>(OF, [projectId, EVERY_PROJECT]),
  };
}

/** Live runs of a project are found by its items, which the watch over projects knows. */
const CHANGED = `
update runs r set version = r.version + 1
from changed c, project_items i
where i.project_id = c.project_id and r.item_global_id = i.item_global_id and r.live and c.new`;

const RAISE = `-- raise_warning
with before as materialized (
  select detail from project_warnings where project_id = $1::bigint and code = $2::text
),
changed as (
  insert into project_warnings as w (project_id, code, detail) values ($1::bigint, $2::text, $3::text)
  on conflict (project_id, code) do update set detail = excluded.detail, at = now()
  returning w.project_id, not exists (select from before b where b.detail = w.detail) as new
)${CHANGED}`;

const CLEAR = `-- clear_warning
with changed as (
  delete from project_warnings where project_id = $1::bigint and code = $2::text returning project_id, true as new
)${CHANGED}`;

const OF = `-- warnings_of_project
select code, detail, at from project_warnings where project_id in ($1::bigint, $2::bigint) order by code`;
