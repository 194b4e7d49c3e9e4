import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { londonDate } from '../due/dates.ts';
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
  /** What of the person is the same as of the account’s holder: somebody may look for themselves or their family. */
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
  // Not `is not distinct from`, which uses no index: this runs for every list that somebody looks at.
  const accountSql = accountId === null ? sql`account_id is null` : sql`account_id = ${accountId}`;
  const organisationSql =
    organisationId === null ? sql`organisation_id is null` : sql`organisation_id = ${organisationId}`;
  const sentToSql = sentTo === null ? sql`sent_to is null` : sql`sent_to = ${sentTo}`;
  await sql`
    insert into looks_in_lists
      (id, day, first_at, last_at, kind, account_id, organisation_id, sent_to, referral_ids)
    select ${id}, ${day}, ${at}, ${at}, ${kind}, ${accountId}, ${organisationId}, ${sentTo}, ${ids}::uuid[]
    where not exists (
      select from looks_in_lists
      where ${accountSql} and ${organisationSql} and ${sentToSql} and kind = ${kind} and day = ${day}::date
        and referral_ids @> ${ids}::uuid[])
    on conflict (account_id, organisation_id, sent_to, kind, day) do update set last_at = excluded.last_at,
      referral_ids = array(select unnest(looks_in_lists.referral_ids) union select unnest(excluded.referral_ids))`.execute(
    trx,
  );
}

/** Deletes looks that are 13 months old: the guardian has seen a year of them. By day, which has an index. */
export async function deleteOldRecordsOfLooks(db: Db, now: Date): Promise<void> {
  const today = londonDate(now);
  await sql`
    with old as (delete from looks where day < (${today}::date - interval '13 months')::date)
    delete from looks_in_lists where day < (${today}::date - interval '13 months')::date`.execute(db);
}
