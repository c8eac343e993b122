-- What ends the process that works on it each time is set aside, so that it is counted how often nothing came of it.

-- How often a delivery was taken without that the taker ever answered: neither done, nor postponed, nor given up.
alter table inbox add column unanswered integer not null default 0;

-- Runs whose worker was lost, and how often in a row without that a worker appended anything in between.
create table takeovers (
  run_id uuid primary key references runs (id) on delete cascade,
  -- Last event, and fence of the hold that lapsed last.
  seq integer not null,
  fence integer not null,
  count integer not null
);

-- Counted and listed for operators.
create index inbox_failed on inbox (seq) where state = 'failed';
