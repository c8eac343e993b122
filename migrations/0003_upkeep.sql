-- What maintenance looks after: pauses by their age, contents of deliveries, projects whose events may not come, workers, retention.

alter table pauses add column reminded_at timestamptz;
create index pauses_open on pauses (opened_at, reminded_at) where closed_at is null;

-- The same event told by two hooks has two ids but one content.
alter table inbox add column content text;
create unique index inbox_one_content on inbox (content) where content is not null;

alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('status', 'question', 'gate', 'approval', 'reminder', 'plan', 'end', 'cancel', 'reply'));

-- A bundle is pruned when no run names it and no process used it for long: whoever starts runs says now and then that it does.
alter table piece_bundles add column used_at timestamptz not null default now();

create index runs_in_order on runs (no);

-- Projects in which runs were started, looked at now and then for what no event told.
create table projects (
  id bigint primary key,
  path text not null,
  -- Something of it was planned or seen changing.
  active_at timestamptz not null,
  -- What changed before this was looked at.
  seen_until timestamptz not null,
  looked_at timestamptz,
  -- State of the hook as GitLab said last: ok, disabled, missing; null: not known.
  hook text check (hook in ('ok', 'disabled', 'missing')),
  hook_until timestamptz,
  -- When something was found last that no delivery had told.
  missed_at timestamptz
);

create table project_items (
  item_global_id bigint primary key,
  project_id bigint not null
);
create index project_items_of_project on project_items (project_id);

-- How far something was read, by name.
create table marks (
  name text primary key,
  value bigint not null
);

-- Processes that work, as they said last.
create table workers (
  owner text primary key,
  parts text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ready boolean not null,
  detail text not null
);
