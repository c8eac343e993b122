-- What comes in (D10) and what goes out (D11).

create table inbox (
  seq bigint generated always as identity primary key,
  id text not null constraint inbox_known unique,
  event text not null,
  item_key text not null,
  body text not null,
  state text not null default 'open' check (state in ('open', 'done', 'failed')),
  result text,
  error text,
  attempts integer not null default 0,
  owner text,
  held_until timestamptz,
  due_at timestamptz not null default now(),
  received_at timestamptz not null default now(),
  done_at timestamptz
) with (toast_tuple_target = 8160);
create index inbox_open on inbox (seq) where state = 'open';
create index inbox_open_of_item on inbox (item_key, seq) where state = 'open';

create table outbox (
  id bigint generated always as identity primary key,
  item_global_id bigint not null,
  project_id bigint not null,
  iid bigint not null,
  run_id uuid,
  kind text not null check (kind in ('status', 'question', 'gate', 'approval', 'plan', 'end', 'cancel', 'reply')),
  pause_id text,
  marker text not null,
  body text not null,
  discussion boolean not null,
  reply_to text,
  -- The item's page, for the address of the note.
  item_url text not null,
  question_id text,
  attempts integer not null default 0,
  owner text,
  held_until timestamptz,
  due_at timestamptz not null default now(),
  error text,
  created_at timestamptz not null default now()
) with (toast_tuple_target = 8160);
create index outbox_of_item on outbox (item_global_id, id);
create index outbox_of_run on outbox (run_id, kind, id);
create unique index outbox_one_reply on outbox (item_global_id, marker) where kind = 'reply';

-- Rows given up on, kept aside so that later rows of the item go on.
create table outbox_failures (
  id bigint primary key,
  item_global_id bigint not null,
  run_id uuid,
  kind text not null,
  marker text not null,
  body text not null,
  error text not null,
  attempts integer not null,
  failed_at timestamptz not null default now()
);
create index outbox_failures_of_run on outbox_failures (run_id);
create index outbox_failures_of_item on outbox_failures (item_global_id, marker);

-- Our notes on the items. A note edited in place keeps its marker and its row.
create table notes (
  item_global_id bigint not null,
  marker text not null,
  run_id uuid,
  kind text not null,
  pause_id text,
  question_id text,
  note_id bigint not null,
  discussion_id text,
  url text not null,
  delivered_at timestamptz not null default now(),
  primary key (item_global_id, marker)
);
create index notes_of_run on notes (run_id);
create index notes_of_discussion on notes (item_global_id, discussion_id);
