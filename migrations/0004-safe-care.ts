import { type Kysely, sql } from 'kysely';

/** What safe care needs: other names under a known NHS number, corrections and news of a referral, and who was told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Finds another last name or birth date under a number, however many referrals its person has.
  await sql`
    create index referrals_names_of_number on referrals (patient_number_key, patient_family_key)
    where patient_number_key is not null and requested_at is not null and status <> 'entered-in-error'`.execute(
    db,
  );
  // What a line of the history changed, where that is not the status.
  await sql`alter table referral_history add column details jsonb`.execute(db);
  // What one side told the other of a change in the person's life, until somebody there has confirmed that they read it.
  await sql`
    create table referral_changes (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      at timestamptz not null,
      side text not null check (side in ('provider', 'referrer')),
      author_id uuid not null,
      author_name text not null,
      author_organisation text,
      text text not null,
      -- True if the referral became urgent with it.
      raised_urgency boolean not null,
      confirmed_at timestamptz,
      confirmed_by uuid,
      confirmed_by_name text
    )`.execute(db);
  await sql`create index referral_changes_of on referral_changes (referral_id, id)`.execute(db);
}
