import { type Kysely, sql } from 'kysely';

/** Deliveries that wait until a cause is gone, and the connections of the site that do not work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The cause, such as a mail server that refuses the site; null for a delivery that nothing holds.
  await sql`alter table deliveries add column held_by text`.execute(db);
  await sql`create index deliveries_held on deliveries (held_by, id) where held_by is not null`.execute(db);
  await sql`alter table worklist drop constraint worklist_kind_check`.execute(db);
  await sql`
    alter table worklist add constraint worklist_kind_check
      check (kind in ('failed', 'uncertain', 'expired', 'unanswered', 'no-practice', 'held'))`.execute(db);
  await sql`
    create table connection_troubles (
      connection text primary key,
      -- 'refuses': it does not accept this site; 'away': it does not answer, or is in trouble itself.
      kind text not null check (kind in ('refuses', 'away')),
      reason text not null,
      since timestamptz not null,
      -- When the site last tried it.
      tried_at timestamptz not null,
      -- Null while it lasts.
      ended_at timestamptz,
      -- When the operators were last told by email.
      told_at timestamptz
    )`.execute(db);
}
