import { type RawBuilder, sql } from 'kysely';
import type { ReferralStatus } from './referral.ts';
import { reroutable } from './state-machine.ts';
import { hasSuccessor, referredAgain } from './store.ts';

/**
 * The states in which a referral can wait for its referrer. What was completed is looked through for nothing more: there
 * are years of it. A message that comes later stands in the list all the same.
 */
export const waitingStatuses: readonly ReferralStatus[] = [
  ...reroutable,
  'draft',
  'requested',
  'accepted',
  'in-progress',
  'on-hold',
];

/** To be sent, or the person to be helped another way: what `whoseTurn` calls the referrer's. */
export const isTheirTurn = sql`(status = 'draft' or status in (${sql.join(reroutable)}) and seen_to_at is null
  and not (${hasSuccessor}) and not (${referredAgain}))`;

/**
 * It is their turn, or the other side wrote what this account has not read. Each is looked up by itself, by its index: as `exists`
 * PostgreSQL may read every message of the site instead.
 */
export function waitsForReferrer(accountId: string): RawBuilder<unknown> {
  return sql`restricted_at is null and erased_at is null and (${isTheirTurn} or (
    select true from referral_messages m
    left join referral_readings r on r.referral_id = m.referral_id and r.account_id = ${accountId}
    where m.referral_id = referrals.id and m.author_id <> ${accountId}
      and (r.last_message_id is null or m.id > r.last_message_id)
    limit 1))`;
}
