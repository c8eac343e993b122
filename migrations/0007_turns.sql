-- Projects with a limit of runs at work: further ones wait for their turn, first come, first served.

-- Null: no limit counts for this run. An index holds these columns, but only rows of limited projects enter it, and they change with a
-- change of status only.
alter table runs add column turn_project bigint;
-- Since when it waits for its turn; null: it has its turn, or needs none.
alter table runs add column waits_since timestamptz;
create index runs_in_turn on runs (turn_project, waits_since, no) where turn_project is not null and status = 'GENERATING';

create table turns (
  project_id bigint primary key,
  max_live integer not null,
  -- Raised by everyone who gives turns away: of two at one moment one gives none.
  round bigint not null default 0
);
