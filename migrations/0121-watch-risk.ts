import { type Kysely, sql } from 'kysely';

/**
 * A referral with a risk of harm, or a message with words of a crisis, is watched at the pace of an urgent one. Those that answered yes and
 * that nobody of the service has opened are watched from now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table unseen_news add column risk boolean not null default false`.execute(db);
  await sql`
    comment on column unseen_news.risk is
      'Whether it is about a risk of serious harm: the referrer answered yes, or its words mention a crisis.'`.execute(
    db,
  );
  await sql`
    insert into unseen_news (id, kind, referral_id, side, author_id, at, due_at, risk)
    select id, 'referral', id, 'provider', referrer_account_id, now(), now() + interval '4 hours', true from referrals
    where status = 'requested' and seen_at is null and restricted_at is null and erased_at is null
      and content ->> 'risk' = 'yes'
    on conflict (id) do update set risk = true`.execute(db);
}
