import { type Kysely, sql } from 'kysely';

/** An email or text about a link is dropped when the link ends before it could be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add column link_id uuid`.execute(db);
  await sql`
    comment on column mails.link_id is
      'The person’s page or the answer link that it is about: it is not sent once that may no longer be used. No foreign key, because it outlives both.'`.execute(
    db,
  );
  await sql`create index mails_queued_of_link on mails (link_id) where status = 'queued' and link_id is not null`.execute(
    db,
  );
}
