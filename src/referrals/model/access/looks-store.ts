import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';
import type { Side } from '../status/state-machine.ts';

export type Look = {
  id: string;
  at: Date;
  day: string;
  accountId: string;
  /** Of the key that a client system used, if it has a name. */
  keyName: string | null;
  kind: 'search' | 'opening';
  referralId: string | null;
  side: Side | 'operator' | null;
  /** How many referrals the search found, or 1 for one that was opened. */
  resultCount: number;
  surnameKey: Buffer | null;
  postcodeKey: Buffer | null;
  numberKey: Buffer | null;
  own: 'name' | 'email' | null;
};

/** A second opening of the same referral on one day is the same look. */
export async function insertLook(trx: Trx, look: Look): Promise<void> {
  const { accountId, keyName, referralId, surnameKey, postcodeKey, numberKey, resultCount, ...rest } = look;
  await trx
    .insertInto('looks')
    .values({
      ...rest,
      account_id: accountId,
      key_name: keyName,
      referral_id: referralId,
      surname_key: surnameKey,
      postcode_key: postcodeKey,
      number_key: numberKey,
      found: resultCount,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Who saw a list, or took a copy. */
export type ListReader = {
  kind: 'list' | 'copy' | 'copy-by-email';
  accountId?: string;
  organisationId?: string;
  sentTo?: string;
};

type ListedReferrals = {
  id: string;
  day: string;
  at: Date;
  by: ListReader;
  ids: readonly string[];
};

/**
 * Adds referrals to those that somebody has seen in lists on a day. Somebody who looks at the same list again adds nothing.
 */
export async function addToListed(trx: Trx, { id, day, at, by, ids }: ListedReferrals): Promise<void> {
  const { kind, accountId = null, organisationId = null, sentTo = null } = by;
  const isSame = sql`account_id is not distinct from ${accountId}::uuid and organisation_id is not distinct from ${organisationId}::uuid
    and sent_to is not distinct from ${sentTo}::text and kind = ${kind} and day = ${day}::date`;
  await sql`
    insert into looks_in_lists
      (id, day, first_at, last_at, kind, account_id, organisation_id, sent_to, referral_ids)
    select ${id}, ${day}, ${at}, ${at}, ${kind}, ${accountId}, ${organisationId}, ${sentTo}, ${ids}::uuid[]
    where not exists (select from looks_in_lists where ${isSame} and referral_ids @> ${ids}::uuid[])
    on conflict (account_id, organisation_id, sent_to, kind, day) do update set last_at = excluded.last_at,
      referral_ids = array(select unnest(looks_in_lists.referral_ids) union select unnest(excluded.referral_ids))`.execute(
    trx,
  );
}

/** Deletes looks that are 13 months old: the guardian has seen a year of them. */
export async function deleteOldRecordsOfLooks(db: Db, now: Date): Promise<void> {
  await sql`
    with old as (delete from looks where at < ${now}::timestamptz - interval '13 months')
    delete from looks_in_lists where last_at < ${now}::timestamptz - interval '13 months'`.execute(db);
}
