-- When a waiting run was last looked at in GitLab: what was answered, and whether its item is still there. Null: since its pause began not.
alter table pauses add column looked_at timestamptz;
create index pauses_to_look_at on pauses (coalesce(looked_at, opened_at)) where closed_at is null;
