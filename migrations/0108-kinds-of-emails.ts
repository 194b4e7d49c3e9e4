import { type Kysely, sql } from 'kysely';

/** What each email is about, so that a restored site can hold those about people until an operator has checked what was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mails add column kind text,
      drop constraint mails_status_check,
      add constraint mails_status_check check (status in ('queued', 'captured', 'sent', 'failed', 'dropped')),
      add constraint mails_kind_check check (
        kind in ('site', 'person', 'news', 'digest', 'reminder', 'offline-copy', 'record'))`.execute(db);
  await sql`comment on column mails.kind is 'What it is about. Null in emails of earlier versions.'`.execute(
    db,
  );
}
