-- Runs, their event log and what hangs on it. JSON stands as text: it is never queried, and text is stored as it was written.

-- Bundles of pieces by the hash of their text: thousands of runs share one. Rows are never changed, and stay while a run names them
-- (no foreign key: every start would lock the one row that all starts share).
create table piece_bundles (
  hash text primary key,
  bundle text not null
);

-- The hot row: rewritten by every append and claim. What never changes stands in run_definitions, and no index holds a column that
-- appends, claims and heartbeats change, so that these updates stay on their page (HOT).
create table runs (
  id uuid primary key,
  -- Order of creation.
  no bigint generated always as identity,
  item_global_id bigint not null,
  status text not null check (status in ('GENERATING', 'NEEDS_INPUT', 'COMPLETED', 'CANCELED', 'FAILED')),
  reason text,
  live boolean not null,
  pause_id text,
  pause_kind text,
  score_status text not null,
  -- Projection for people, JSON.
  view text not null,
  -- Raised by every claim and by an end from outside; a writer names the one it holds.
  fence integer not null default 0,
  owner text,
  held_until timestamptz,
  -- Owner token of the item's lease, handed on from who starts or resumes to who claims.
  lease_token text,
  seq integer not null,
  version integer not null default 1,
  format integer not null,
  -- The deadline counts GENERATING time: `deadline_at` while generating, what is left of it while waiting.
  deadline_at timestamptz,
  left_ms bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 50);

-- At most one live run an item.
create unique index runs_one_live on runs (item_global_id) where live;
create index runs_of_item on runs (item_global_id, no desc);
-- For the sweeper: what generates. It must not lead with id, or claims would scan it.
create index runs_generating on runs (deadline_at) where status = 'GENERATING';

create table run_definitions (
  run_id uuid primary key references runs (id) on delete cascade,
  item text not null,
  started_by text not null,
  settings text not null,
  piece_hash text not null
);

create table events (
  run_id uuid not null,
  seq integer not null,
  at timestamptz not null,
  v integer not null,
  type text not null,
  data text not null,
  primary key (run_id, seq)
) with (toast_tuple_target = 8160);

create table pauses (
  no bigint generated always as identity,
  run_id uuid not null,
  id text not null,
  kind text not null check (kind in ('question', 'context_gate', 'approval')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (run_id, id)
);

-- Model calls that were paid for (D7: a table of its own, not events).
create table usage (
  id bigint generated always as identity primary key,
  run_id uuid not null,
  effect_id text not null,
  model text not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  estimated boolean not null,
  at timestamptz not null
);
create index usage_of_run on usage (run_id);

-- Actions of people that were done: the second delivery of the same one is dropped.
create table actions (
  key text primary key,
  run_id uuid,
  at timestamptz not null default now()
);
