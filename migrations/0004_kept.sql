-- What is posted in place of the body where the item is read by more people than the project's code; null: the body in any case.
alter table outbox add column kept text;
