import { sql } from 'kysely';
import type { Trx } from '../../../platform/database/index.ts';

/** Keeps that somebody has to look into an answer. Its prompt is made by `update-prompts`. */
export async function noteWorryingAnswer(trx: Trx, referralId: string, at: Date): Promise<void> {
  await sql`
    insert into alarming_answers (referral_id, at) values (${referralId}, ${at})
    on conflict (referral_id) do update set at = excluded.at`.execute(trx);
}

/** Somebody has looked into it. */
export async function deleteWorryingAnswer(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('alarming_answers').where('referral_id', '=', referralId).execute();
}
