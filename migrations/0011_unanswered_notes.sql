-- What ends its deliverer each time is set aside, so that the item's later notes go on.

-- How often a row was taken in a row without that the taker ever answered: neither delivered, nor postponed, nor given up.
alter table outbox add column unanswered integer not null default 0;
