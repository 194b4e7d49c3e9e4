import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { limitPerKey } from '../platform/limit-per-key.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { authoriseContent } from '../referrals/index.ts';
import { writeLetter } from './letter/compose-letter.ts';
import { drawAside } from './letter/letter-drawer.ts';

/** All letters are drawn by one thread, which those that are to be sent wait for as well: the longest take it three seconds. */
const limitLetters = limitPerKey(1);

/**
 * The letter of a referral to its service, as it stands now.
 * @throws Problem `not-found`, also for a draft; `forbidden` for an operator who has not opened the referral.
 */
export async function readLetter(
  deps: Platform,
  caller: Caller,
  { referralId, address }: { referralId: string; address: string },
): Promise<{ reference: string; letter: Buffer }> {
  const at = deps.clock.now();
  const referral = await inTransaction(deps.db, async (trx) => {
    const { referral: found } = await authoriseContent(trx, caller, referralId, at);
    if (found.requested_at === null) throw new Problem(notFound);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'referral.letter_read',
      subject: { type: 'referral', id: found.id },
    });
    return found;
  });
  const { service, simulated: test, requested_at: date } = referral;
  const recipient = { name: service.name, code: service.organization_id };
  const options = {
    site: deps.settings,
    leg: 'service',
    purpose: 'referral',
    recipient,
    date,
    test,
  } as const;
  const letter = await limitLetters(caller.accountId, () => drawAside(writeLetter(referral, options)));
  return { reference: referral.reference, letter };
}
