import { type Kysely, sql } from 'kysely';

/** Texts are counted by their number, and by the organisation that has them sent, so that nobody sends them without end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add column caused_by uuid`.execute(db);
  await sql`
    comment on column mails.caused_by is
      'The organisation, or the account without one, that had a text sent to a number of its choice. Null for other texts and for emails.'`.execute(
    db,
  );
  await sql`create index mails_texts_to on mails (recipient_hash, created_at) where is_text`.execute(db);
  await sql`create index mails_texts_by on mails (caused_by, created_at) where caused_by is not null`.execute(
    db,
  );
}
