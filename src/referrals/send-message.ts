import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { authorOf } from './author.ts';
import type { ReferralDeps } from './deps.ts';
import { lockOnSide } from './look-at.ts';
import { insertMessage, type Message } from './messages-store.ts';
import { wrongState } from './problems.ts';

/**
 * Writes to the other side of a referral.
 * @throws Problem `not-found`, `forbidden` for who is on neither side, `wrong-state` where there is no other side.
 */
export async function sendMessage(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, text, address }: { referralId: string; text: string; address: string },
): Promise<Message> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockOnSide(trx, caller, referralId, at);
    if (referral.requested_at === null || referral.status === 'entered-in-error')
      throw new Problem(wrongState, `It is ${referral.status}, so there is nobody to write to.`);
    const message = { id: newId(at.getTime()), at, side: sides[0]!, ...authorOf(caller), text };
    await insertMessage(trx, referral.id, message);
    await deps.referralListener.onMessage(trx, { referral, messageId: message.id, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'referral.message_sent',
      subject: { type: 'referral', id: referral.id },
      details: { message: message.id },
    });
    return message;
  });
}
