import type { HookState, ProjectSigns, ProjectWatch, WatchedProject } from '../../ports/project-watch.ts';
import type { Executor } from './connect.ts';

/** The watch over projects on PostgreSQL or PGlite. */
export function createProjectWatch(db: Executor): ProjectWatch {
  return {
    async learn() {
      await db.execute(LEARN);
    },
    async take({ limit, everyMs, recentMs }) {
      const rows = await db.execute<ProjectRow>(TAKE, [limit, everyMs, recentMs]);
      return rows.map(toProject);
    },
    async looked({ projectId, seenUntil, active, hook, missed }) {
      await db.execute(LOOKED, [projectId, seenUntil, active, hook?.state ?? null, hook?.until ?? null, missed]);
    },
    signs: (projectId) => readSigns(db, projectId),
  };
}

interface ProjectRow {
  id: number;
  path: string;
  seen_until: string;
  hook: HookState['state'] | null;
  hook_until: string | null;
}

function toProject({ id, path, seen_until: seenUntil, hook, hook_until: until }: ProjectRow): WatchedProject {
  return { id, path, seenUntil, hook: hook === null ? null : { state: hook, until } };
}

async function readSigns(db: Executor, projectId: number): Promise<ProjectSigns> {
  const [row] = await db.execute<ProjectRow & { missed_at: string | null }>(SIGNS, [projectId]);
  if (row === undefined) return { hook: null, missedAt: null };
  return { hook: toProject(row).hook, missedAt: row.missed_at };
}

/**
 * Runs that began at one moment are committed in any order, so the last thousand before the mark are read again: what is known already
 * changes nothing.
 */
const LEARN = `-- learn_projects
with fresh as materialized (
  select r.no, r.item_global_id as item, r.created_at as at, (d.item::json ->> 'projectId')::bigint as project,
    d.item::json ->> 'projectPath' as path
  from runs r join run_definitions d on d.run_id = r.id
  where r.no > coalesce((select value from marks where name = 'projects_learned'), 0) - 1000
  order by r.no limit 5000
),
marked as (
  insert into marks (name, value) select 'projects_learned', max(f.no) from fresh f having count(*) > 0
  on conflict (name) do update set value = greatest(marks.value, excluded.value)
),
known_items as (
  insert into project_items (item_global_id, project_id)
  select f.item, max(f.project) from fresh f group by f.item order by f.item
  on conflict do nothing
)
insert into projects (id, path, active_at, seen_until)
select f.project, max(f.path), max(f.at), min(f.at) from fresh f group by f.project order by f.project
on conflict (id) do update set active_at = greatest(projects.active_at, excluded.active_at), path = excluded.path
  where (projects.active_at, projects.path) is distinct from (greatest(projects.active_at, excluded.active_at), excluded.path)`;

const TAKE = `-- take_projects
with due as (
  select p.id from projects p
  where (p.looked_at is null or p.looked_at <= now() - $2::bigint * interval '1 millisecond')
    and (p.active_at > now() - $3::bigint * interval '1 millisecond' or exists (
      select from project_items i join runs r on r.item_global_id = i.item_global_id and r.live where i.project_id = p.id))
  order by p.looked_at nulls first, p.id
  limit $1::int
  for update of p skip locked
)
update projects p set looked_at = now() from due d where p.id = d.id
returning p.id, p.path, p.seen_until, p.hook, p.hook_until`;

/** What was missed is shown for a day; another miss within it is no change. */
const LOOKED = `-- looked_at_project
with before as materialized (
  select * from projects where id = $1::bigint
),
changed as (
  update projects set
    seen_until = greatest(seen_until, $2::timestamptz),
    active_at = case when $3::boolean then now() else active_at end,
    hook = coalesce($4::text, hook),
    hook_until = case when $4::text is null then hook_until else $5::timestamptz end,
    missed_at = case when $6::boolean then now() else missed_at end
  where id = $1::bigint
)
update runs r set version = r.version + 1
from before b, project_items i
where i.project_id = $1::bigint and r.item_global_id = i.item_global_id and r.live and (
  coalesce($4::text, b.hook) is distinct from b.hook
  or $6::boolean and (b.missed_at is null or b.missed_at < now() - interval '1 day'))`;

const SIGNS = `-- project_signs
select id, path, seen_until, hook, hook_until, missed_at from projects where id = $1`;
