/** What the chaos suite's database records beside the service's tables: which process (by application name) did what, in the order in which it was committed. */

export interface AuditEntry {
  no: number;
  app: string;
  /** A run came to life, was claimed, got an event, ended. */
  what: 'start' | 'claim' | 'event' | 'end';
  runId: string;
  itemId: number;
  /** Of the run's row then. */
  fence: number;
  /** Of an event. */
  seq: number | null;
  type: string | null;
}

export const AUDIT = `
create table audit (no bigint generated always as identity, app text, what text, run_id uuid, item_id bigint, fence int, seq int, type text);
create function audit_run() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    insert into audit (app, what, run_id, item_id, fence)
      values (current_setting('application_name'), 'start', new.id, new.item_global_id, new.fence);
    return null;
  end if;
  if new.fence > old.fence and new.owner is not null then
    insert into audit (app, what, run_id, item_id, fence)
      values (current_setting('application_name'), 'claim', new.id, new.item_global_id, new.fence);
  end if;
  if old.live and not new.live then
    insert into audit (app, what, run_id, item_id, fence)
      values (current_setting('application_name'), 'end', new.id, new.item_global_id, new.fence);
  end if;
  return null;
end $$;
create function audit_event() returns trigger language plpgsql as $$ begin
  insert into audit (app, what, run_id, item_id, fence, seq, type)
    select current_setting('application_name'), 'event', r.id, r.item_global_id, r.fence, new.seq, new.type
    from runs r where r.id = new.run_id;
  return null;
end $$;
create trigger audit_run after insert or update on runs for each row execute function audit_run();
create trigger audit_event after insert on events for each row execute function audit_event();
`;

export const READ_AUDIT = `select no, app, what, run_id as "runId", item_id as "itemId", fence, seq, type from audit order by no`;
