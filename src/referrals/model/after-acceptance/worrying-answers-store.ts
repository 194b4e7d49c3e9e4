import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';

/** Keeps that somebody has to look into an answer. Its prompt is made by `update-prompts`. */
export async function noteWorryingAnswer(trx: Trx, referralId: string, at: Date): Promise<void> {
  await sql`
    insert into worrying_answers (referral_id, at) values (${referralId}, ${at})
    on conflict (referral_id) do update set at = excluded.at`.execute(trx);
}

/** Whether nobody has looked into it yet. */
export async function hasOpenWorryingAnswer(db: Db, referralId: string): Promise<boolean> {
  const row = await db
    .selectFrom('worrying_answers')
    .select('referral_id')
    .where('referral_id', '=', referralId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Somebody has looked into it. */
export async function deleteWorryingAnswer(trx: Trx, referralId: string): Promise<void> {
  await trx.deleteFrom('worrying_answers').where('referral_id', '=', referralId).execute();
}
