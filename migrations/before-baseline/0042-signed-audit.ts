import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The writer of an entry, its number among that writer's, and a keyed code over it (docs/decisions/0013). Older entries have none.
  await sql`
    alter table audit_entries add column writer uuid, add column number bigint, add column code bytea,
      add constraint audit_entries_signed check (num_nulls(writer, number, code) in (0, 3))`.execute(db);
  // Not unique: somebody who inserted the next number of a process would keep it from writing.
  await sql`create index audit_entries_written on audit_entries (writer, number) where writer is not null`.execute(
    db,
  );
}
