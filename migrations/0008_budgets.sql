-- What model calls cost, for budgets of a run and of a project's day.

-- Null in rows of older versions, and where a run has no item.
alter table usage add column project_id bigint;
alter table usage add column cached_tokens bigint not null default 0;
alter table usage add column cache_write_tokens bigint not null default 0;
-- In the operator's currency; null: the price was not known.
alter table usage add column money double precision;
-- How long the calls took.
alter table usage add column ms bigint not null default 0;
create index usage_of_project on usage (project_id, at) where project_id is not null;

alter table pauses drop constraint pauses_kind_check;
alter table pauses add constraint pauses_kind_check check (kind in ('question', 'context_gate', 'approval', 'budget'));
