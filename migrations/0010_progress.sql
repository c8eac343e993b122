-- How far a run is, apart from its view: every append changes it, and the view, which may hold a whole plan, need not be written for it.
-- Null: the view says it (rows of older versions).
alter table runs add column movement text, add column iteration integer;
