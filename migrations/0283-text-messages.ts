import { type Kysely, sql } from 'kysely';

/** Codes and links also go by text message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add column is_text boolean not null default false`.execute(db);
  await sql`
    comment on column mails.is_text is 'A text message to a mobile number, and no email.'`.execute(db);
  await sql`alter table answer_links add column code_to text`.execute(db);
  await sql`
    comment on column answer_links.code_to is
      'The mailbox or mobile number that got the last code. Null for a code from before texts: it went to the mailbox.'`.execute(
    db,
  );
  await sql`
    comment on column person_pages.address is
      'The email address or mobile number at which it is safe to reach the person. The link and each code go there.'`.execute(
    db,
  );
}
