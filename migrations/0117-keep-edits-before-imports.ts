import { type Kysely, sql } from 'kysely';

/** When somebody had edited a service before an import changed it, so that undoing the import protects the edit again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table services_before_imports add column edited_at timestamptz`.execute(db);
  await sql`
    comment on column services_before_imports.edited_at is
      'When somebody had last edited it here; null if nobody had, or an import had changed it since.'`.execute(
    db,
  );
}
