import { type Kysely, sql } from 'kysely';

/** The history and the audit say who set the availability of a service. Nothing read this column, which had a name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table service_capacity drop column set_by`.execute(db);
  await sql`
    comment on column answer_links.person_told_at is
      'When the person was emailed that an ending by the link is final, or when it ended, if that was before such emails were sent.'`.execute(
    db,
  );
}
