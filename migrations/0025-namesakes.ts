import { type Kysely, sql } from 'kysely';

/** The Caldicott guardian's list tells who referred somebody of their own name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table looks_to_check drop constraint looks_to_check_reason_check`.execute(db);
  await sql`
    alter table looks_to_check add constraint looks_to_check_reason_check check (reason in
      ('own-name', 'own-email', 'many-misses', 'no-action', 'sensitive', 'audit-opened', 'namesake'))`.execute(
    db,
  );
}
