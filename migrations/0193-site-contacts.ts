import { type Kysely, sql } from 'kysely';

/** Contacts could be set on the machine alone, and most sites named nobody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table site_contacts (
      single boolean primary key default true check (single),
      operator_contact text,
      clinical_safety_contact text,
      updated_at timestamptz not null,
      updated_by_name text not null
    )`.execute(db);
  await sql`comment on table site_contacts is 'One row: the contacts that an operator entered. A setting of the machine goes before each.'`.execute(
    db,
  );
  await sql`comment on column site_contacts.single is 'Always true: the table has one row.'`.execute(db);
}
