import { type Kysely, sql } from 'kysely';

/** News that nobody of a side has seen, the next date of every open referral, and the warning before an automatic rejection. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referrals
      -- When somebody of the service first read it, and who.
      add column seen_at timestamptz,
      add column seen_by_name text,
      -- By when the service acts next, once it has accepted. Past it, the referral is overdue.
      add column next_date date,
      -- The service was reminded of this next date.
      add column next_date_reminded boolean not null default false,
      -- When the site rejects it, as the service was warned.
      add column rejection_at timestamptz`.execute(db);
  await sql`
    update referrals set next_date = (updated_at at time zone 'Europe/London')::date
      + case status when 'accepted' then 14 when 'on-hold' then 28 else 90 end
    where status in ('accepted', 'on-hold', 'in-progress')`.execute(db);
  // Short indexes, so that the hourly jobs read only what they act on, however many referrals there are.
  await sql`create index referrals_next_date on referrals (next_date) where next_date is not null`.execute(
    db,
  );
  await sql`
    create index referrals_next_date_unreminded on referrals (next_date)
    where next_date is not null and not next_date_reminded`.execute(db);
  await sql`create index referrals_rejection on referrals (rejection_at) where rejection_at is not null`.execute(
    db,
  );
  await sql`
    create index referrals_unwarned on referrals (requested_at)
    where status = 'requested' and rejection_at is null`.execute(db);

  // Urgent referrals, messages and changes that nobody of one side has seen yet. Somebody who sees one deletes its row.
  await sql`
    create table unseen_news (
      -- The id of the referral, message or change.
      id uuid primary key,
      kind text not null check (kind in ('referral', 'message', 'change')),
      referral_id uuid not null references referrals on delete cascade,
      -- The side that has not seen it.
      side text not null check (side in ('provider', 'referrer')),
      -- Somebody on both sides does not see their own news for the other side.
      author_id uuid not null,
      next_step text not null default 'owner' check (next_step in ('owner', 'deputy', 'operators')),
      -- When the next step is due; null once the operators were told.
      due_at timestamptz,
      -- The accounts that were told.
      told uuid[] not null default '{}'
    )`.execute(db);
  await sql`create index unseen_news_of on unseen_news (referral_id)`.execute(db);
  await sql`create index unseen_news_due on unseen_news (due_at) where due_at is not null`.execute(db);
  // Nobody knows who read what before this version, so whatever is still urgent or unconfirmed counts as not seen.
  await sql`
    insert into unseen_news (id, kind, referral_id, side, author_id, due_at)
    select id, 'referral', id, 'provider', referrer_account_id, requested_at from referrals
    where status = 'requested' and urgency = 'urgent' and requested_at is not null
    union all
    select id, 'change', referral_id, case side when 'provider' then 'referrer' else 'provider' end, author_id, at
    from referral_changes where confirmed_at is null`.execute(db);
}
