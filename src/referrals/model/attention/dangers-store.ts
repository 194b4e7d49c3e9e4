import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';

/** Stores that these referrals tell of a danger, and that somebody is asked about it from now on. */
export async function saveDangers(trx: Trx, referralIds: readonly string[], at: Date): Promise<void> {
  await sql`
    insert into referral_dangers (referral_id, asked_at)
    select id, ${at} from unnest(${referralIds}::uuid[]) as given(id)
    on conflict (referral_id) do update set asked_at = excluded.asked_at`.execute(trx);
}

export async function deleteDanger(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('referral_dangers').where('referral_id', '=', referralId).execute();
}
