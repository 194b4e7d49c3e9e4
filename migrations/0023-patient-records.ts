import { type Kysely, sql } from 'kysely';

/** What the law lets a person ask of their record: that it rests, and that it is forgotten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referrals
      -- While it is restricted, nobody works with what it says.
      add column restricted_at timestamptz,
      -- From then on only the reference, the service, the status and the dates are left.
      add column erased_at timestamptz`.execute(db);
  await restrictions(db);
  await erasing(db);
}

/** Each restriction: who asked for it and why, and who lifted it and why. */
async function restrictions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_restrictions (
      id uuid primary key,
      referral_id uuid not null references referrals on delete cascade,
      at timestamptz not null,
      account_id uuid not null references accounts,
      account_name text not null,
      reason text not null,
      lifted_at timestamptz,
      lifted_by uuid references accounts,
      lifted_by_name text,
      lifted_reason text
    )`.execute(db);
  // One at a time.
  await sql`
    create unique index referral_restrictions_now on referral_restrictions (referral_id) where lifted_at is null`.execute(
    db,
  );
  await sql`create index referral_restrictions_of on referral_restrictions (referral_id, id)`.execute(db);
}

async function erasing(db: Kysely<unknown>): Promise<void> {
  // Drafts too: what was begun and forgotten is about a person all the same. Making a referral does not touch it.
  await sql`
    create index referrals_to_erase on referrals (updated_at)
    where erased_at is null
      and status in ('draft', 'completed', 'rejected', 'failed', 'cancelled', 'entered-in-error')`.execute(
    db,
  );
  // The lines of a history stay, their reasons do not. Only a transaction that says it is erasing may change them.
  await sql`drop trigger referral_history_append_only on referral_history`.execute(db);
  await sql`
    create trigger referral_history_append_only before update or truncate on referral_history
    for each statement when (current_setting('onward.erasing', true) is distinct from 'on')
    execute function refuse_change()`.execute(db);
}
