import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';

/**
 * Stores that these referrals tell of a danger, and that somebody is asked about it from now on. If it is told only at the end, it is asked
 * about also where the referral was completed.
 */
export async function saveDangers(
  trx: Trx,
  referralIds: readonly string[],
  at: Date,
  { toldAtEnd = false } = {},
): Promise<void> {
  await sql`
    insert into referral_dangers (referral_id, asked_at, told_at_end)
    select id, ${at}, ${toldAtEnd} from unnest(${referralIds}::uuid[]) as given(id)
    on conflict (referral_id) do update set asked_at = excluded.asked_at, told_at_end = excluded.told_at_end`.execute(
    trx,
  );
}

export async function deleteDanger(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('referral_dangers').where('referral_id', '=', referralId).execute();
}

/** Whether a referral tells of a risk, of words of a crisis, or of contact that is not safe. */
export function tellsOfDangerSql(referralId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from referral_dangers danger where danger.referral_id = ${referralId})`;
}

/** What comes first in every list: it is urgent, or somebody may come to harm. */
export function isPressingSql(
  urgency: RawBuilder<unknown>,
  isDangerous: RawBuilder<boolean>,
): RawBuilder<boolean> {
  return sql`(${urgency} = 'urgent' or ${isDangerous})`;
}
