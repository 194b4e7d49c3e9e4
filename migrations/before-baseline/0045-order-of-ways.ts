import { type Kysely, sql } from 'kysely';

/** The order in which letters try their ways has its history beside the addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table delivery_address_history
      drop constraint delivery_address_history_what_check,
      add constraint delivery_address_history_what_check
        check (what in ('asked', 'confirmed', 'removed', 'taken-back', 'reordered'))`.execute(db);
}
