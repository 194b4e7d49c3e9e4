import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import { otherSide, type Side } from '../model/status/state-machine.ts';
import type { Message } from './messages-store.ts';

/** A message answers what its side was asked. One with a question mark asks the other side. */
export async function updateQuestions(
  trx: Trx,
  referralId: string,
  { id, at, side, text }: Pick<Message, 'id' | 'at' | 'side' | 'text'>,
): Promise<void> {
  await deleteQuestion(trx, referralId, side);
  if (!text.includes('?')) return;
  const question = { message_id: id, at };
  await trx
    .insertInto('open_questions')
    .values({ referral_id: referralId, side: otherSide(side), ...question })
    .onConflict((conflict) => conflict.columns(['referral_id', 'side']).doUpdateSet(question))
    .execute();
}

/** @returns whether this side was asked something. */
export async function deleteQuestion(trx: Trx, referralId: string, side: Side): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('open_questions')
    .where('referral_id', '=', referralId)
    .where('side', '=', side)
    .returning('referral_id')
    .execute();
  return deleted.length > 0;
}

/** Of these referrals, those with a question that waits for one of these sides. */
export async function listWithQuestion(
  db: Db,
  referralIds: readonly string[],
  sides: readonly Side[],
): Promise<ReadonlySet<string>> {
  if (referralIds.length === 0 || sides.length === 0) return new Set();
  const rows = await db
    .selectFrom('open_questions')
    .select('referral_id')
    .where('referral_id', '=', anyOfValuesSql(referralIds))
    .where('side', '=', anyOfValuesSql(sides))
    .execute();
  return new Set(rows.map((row) => row.referral_id));
}
