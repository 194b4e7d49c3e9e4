import { type Kysely, sql } from 'kysely';

/**
 * The indexes of people who were not helped kept every referral that the referrer had cancelled or rerouted, and that of everybody who died.
 * Two columns now say the first two, so that these referrals leave the index. Somebody without an organisation made few, and needs none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referrals
      add column cancelled_by_referrer boolean not null default false,
      add column rerouted boolean not null default false`.execute(db);
  await sql`
    update referrals set cancelled_by_referrer = true
    where status = 'cancelled' and exists (
      select from referral_history h
      where h.referral_id = referrals.id and h.to_status = 'cancelled' and h.from_status is distinct from 'cancelled'
        and (h.actor_organisation_id = referrals.referrer_organisation_id
          or h.actor_id = referrals.referrer_account_id))`.execute(db);
  await sql`
    update referrals set rerouted = true
    where id in (
      select later.reroutes from referrals later
      where later.reroutes is not null and later.requested_at is not null and later.status <> 'entered-in-error')`.execute(
    db,
  );
  await sql`drop index referrals_made_unhelped, referrals_made_by_account_unhelped`.execute(db);
  const isUnhelped = sql`status in ('rejected', 'failed', 'cancelled') and resolved_at is null
    and status_reason ->> 'code' is distinct from 'died' and not cancelled_by_referrer and not rerouted`;
  await sql`
    create index referrals_made_unhelped on referrals (referrer_organisation_id, id desc) where ${isUnhelped}`.execute(
    db,
  );
  await sql`
    comment on column referrals.cancelled_by_referrer is
      'The referrer’s side itself cancelled it, so it knows that, and why.'`.execute(db);
  await sql`
    comment on column referrals.rerouted is
      'Another referral that was sent, and not withdrawn as an error, reroutes it.'`.execute(db);
}
