import { type Kysely, sql } from 'kysely';

/** Some services say only after an assessment of their own whether they take somebody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_capacity
      drop constraint service_capacity_status_check,
      add constraint service_capacity_status_check
        check (status in ('capacity', 'waitlist', 'no-capacity', 'additional-assessment-required'))`.execute(
    db,
  );
}
