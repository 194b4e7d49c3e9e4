import type { Caller } from '../accounts/index.ts';
import { newId } from '../platform/ids/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { type Addition, addToReferral } from './add-to-referral.ts';
import { authorOf } from './author.ts';
import type { ReferralDeps } from './deps.ts';
import { insertMessage } from './messages-store.ts';
import { presentMessage } from './present-parts.ts';
import { wrongState } from './problems.ts';

/**
 * Writes to the other side of a referral.
 * @throws Problem `not-found`, `forbidden` for who is on neither side, `wrong-state` where there is no other side,
 * `idempotency-key-reused`.
 */
export function sendMessage(
  deps: ReferralDeps,
  caller: Caller,
  { text, ...addition }: Addition & { text: string },
): Promise<ReturnType<typeof presentMessage>> {
  const kind = { request: { text }, action: 'referral.message_sent', is: 'message' } as const;
  return addToReferral(deps, caller, addition, kind, async (trx, { referral, sides }, at) => {
    if (referral.requested_at === null || referral.status === 'entered-in-error')
      throw new Problem(wrongState, `It is ${referral.status}, so there is nobody to write to.`);
    const message = { id: newId(at.getTime()), at, side: sides[0]!, ...authorOf(caller), text };
    await insertMessage(trx, referral.id, message);
    await deps.referralListener.onMessage(trx, { referral, messageId: message.id, at });
    return presentMessage(message);
  });
}
