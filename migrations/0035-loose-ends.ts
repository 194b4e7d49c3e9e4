import { type Kysely, sql } from 'kysely';

/** What no delivery's row of the worklist stands for, and somebody has to see to all the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table loose_ends (
      id uuid primary key,
      kind text not null check (kind in ('unexplained-message', 'given-up-job')),
      -- The id of the message or the job.
      subject text not null,
      what text not null,
      opened_at timestamptz not null,
      owner_id uuid references accounts,
      closed_at timestamptz,
      closed_as text check (closed_as in ('done', 'retried', 'resolved')),
      closed_by uuid references accounts,
      closing_words text,
      unique (kind, subject)
    )`.execute(db);
  await sql`create index loose_ends_open on loose_ends (id) where closed_at is null`.execute(db);
}
