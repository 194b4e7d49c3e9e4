import { type Kysely, sql } from 'kysely';

/** Unusual access that is spread over the days of a week, each of them below the limit of a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table looks_to_check
      drop constraint looks_to_check_reason_check,
      add constraint looks_to_check_reason_check check (reason in ('own-name', 'own-email',
        'many-misses', 'no-action', 'sensitive', 'audit-opened', 'namesake', 'number-tries', 'many-misses-in-week', 'no-action-in-week'))`.execute(
    db,
  );
}
