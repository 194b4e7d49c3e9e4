import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { answerOnce, keyReused } from './answer-once.ts';
import type { ReferralDeps } from './deps.ts';
import { type Look, lockOnSide } from './look-at.ts';

export type Addition = {
  referralId: string;
  address: string;
  /** Makes a repeated request safe: it is answered as the first was. */
  idempotencyKey?: string | undefined;
};

/** What is added: what tells it from another, and how the audit has it. */
type Kind = { request: object; action: string; is: 'message' | 'attachment' };

/**
 * Adds something to a referral for both sides, once for an idempotency key.
 * @throws Problem `not-found`, `forbidden` for who is on neither side, `idempotency-key-reused`, and whatever `add` throws.
 */
export async function addToReferral<T extends { id: string }>(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, address, idempotencyKey: key }: Addition,
  { request, action, is }: Kind,
  add: (trx: Trx, look: Look, at: Date) => Promise<T>,
): Promise<T> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    // Repetitions come here, too: what may not be seen any more is not told again.
    const look = await lockOnSide(trx, caller, referralId, at);
    const { id } = look.referral;
    const about = { accountId: caller.accountId, key, request: { referral: id, ...request }, at };
    return answerOnce(deps, trx, about, {
      referralIdOf: () => id,
      async first() {
        const added = await add(trx, look, at);
        await recordAudit(trx, {
          at,
          actor: actorOf(caller, address),
          action,
          subject: { type: 'referral', id },
          details: { [is]: added.id },
        });
        return added;
      },
      // It is their own, and nothing else is told with it. This referral is not erased: the key was used for another.
      async again(_, isErased) {
        if (isErased) throw keyReused();
      },
    });
  });
}
