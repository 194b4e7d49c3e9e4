import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';
import type { Side } from '../state-machine.ts';

export type Look = {
  id: string;
  at: Date;
  day: string;
  accountId: string;
  kind: 'search' | 'opening';
  referralId: string | null;
  side: Side | 'operator' | null;
  found: number;
  surnameKey: Buffer | null;
  postcodeKey: Buffer | null;
  numberKey: Buffer | null;
  own: 'name' | 'email' | null;
};

/** A second opening of the same referral on one day is the same look. */
export async function insertLook(trx: Trx, look: Look): Promise<void> {
  const { accountId, referralId, surnameKey, postcodeKey, numberKey, ...rest } = look;
  await trx
    .insertInto('looks')
    .values({
      ...rest,
      account_id: accountId,
      referral_id: referralId,
      surname_key: surnameKey,
      postcode_key: postcodeKey,
      number_key: numberKey,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes looks, and what was noticed in them, that are 13 months old: the guardian has seen a year of them. */
export async function deleteOldLooks(db: Db, now: Date): Promise<void> {
  await sql`
    with old as (delete from looks where at < ${now}::timestamptz - interval '13 months')
    delete from looks_to_check where noticed_at < ${now}::timestamptz - interval '13 months'`.execute(db);
}
