import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';
import type { Referral } from '../referral.ts';
import { type ReferralRow, referralColumnsSql, referralFromRow } from '../referrals-store.ts';
import type { TakenMeasure } from './measures.ts';

/** Stores the measures of a locked referral. The version stays. */
export async function setMeasures(
  trx: Trx,
  id: string,
  measures: readonly TakenMeasure[],
  at: Date,
): Promise<Referral> {
  const { rows } = await sql<ReferralRow>`
    update referrals set content = content || ${JSON.stringify({ measures })}::jsonb, updated_at = ${at}
    where id = ${id} returning ${referralColumnsSql}`.execute(trx);
  return referralFromRow(rows[0]!) as Referral;
}
