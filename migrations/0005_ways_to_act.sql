-- Acting by label, reaction and rule: labels that go out, refusals told in the status note, the rate breaker, what is wrong around a project.

-- The kinds are those of the port (OutboxKind): several versions add to them.
alter table outbox drop constraint outbox_kind_check;

-- The status label that the item carries from this row on; null: the row says nothing of it.
alter table outbox add column label text;

-- What people are told in a place that is edited, not posted: refusals of labels and reactions. By the key of the action: told once.
create table notices (
  item_global_id bigint not null,
  key text not null,
  -- The run in whose status note it stands; null: in the item's note for what belongs to no run.
  run_id uuid,
  text text not null,
  no bigint generated always as identity,
  at timestamptz not null default now(),
  primary key (item_global_id, key)
);

-- What a person did on an item lately: the keys of the actions and when, for the rate breaker. One row a person and item, so that whoever
-- counts has locked it.
create table action_rates (
  item_global_id bigint not null,
  person_id bigint not null,
  -- [{"k": key, "t": time}], those of the last minute.
  hits jsonb not null,
  -- The action at which the person was told last that it is too much.
  told_key text,
  told_at timestamptz,
  touched_at timestamptz not null default now(),
  primary key (item_global_id, person_id)
);
create index action_rates_old on action_rates (touched_at);

-- What an operator or a Maintainer should know; project 0: the whole service.
create table project_warnings (
  project_id bigint not null,
  code text not null,
  detail text not null,
  at timestamptz not null default now(),
  primary key (project_id, code)
);
