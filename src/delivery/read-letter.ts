import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { forbidden, notFound, Problem } from '../platform/problem/index.ts';
import { authoriseContent, isServiceHidden, loadContactElsewhereForCallers } from '../referrals/index.ts';
import type { DeliveryDeps } from './channels/deps.ts';
import { composeLetter } from './letter/compose-letter.ts';
import { findNewsAndFiles } from './model/letter-facts-store.ts';

/**
 * The letter of a referral to its service, with what the referral says now.
 * @throws Problem `not-found`, also for a draft; `forbidden` for an operator who has not opened the referral.
 */
export async function readLetter(
  deps: DeliveryDeps,
  caller: Caller,
  { referralId, ipAddress }: { referralId: string; ipAddress: string },
): Promise<{ reference: string; letter: Buffer }> {
  const at = deps.clock.now();
  const { referral, told } = await inTransaction(deps.db, async (trx) => {
    const { referral: found } = await authoriseContent(deps, trx, caller, referralId, at);
    if (found.requested_at === null) throw new Problem(notFound);
    if (await isServiceHidden(trx, { caller, referral: found }))
      throw new Problem(
        forbidden,
        'It names a restricted service. Give a reason to open the referral first.',
      );
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.letter_read',
      subject: { type: 'referral', id: found.id },
    });
    const elsewhere = await loadContactElsewhereForCallers(trx, [{ caller, referral: found }]);
    const contactElsewhere = elsewhere.get(found.id) ?? [];
    return {
      referral: found,
      told: { contactElsewhere, ...(await findNewsAndFiles(trx, { id: found.id, at })) },
    };
  });
  const { service, simulated: test, requested_at: date } = referral;
  const receiver = { name: service.name, code: service.organization_id };
  const options = {
    site: deps.settings,
    leg: 'service',
    purpose: 'referral',
    receiver,
    date,
    test,
    ...told,
  } as const;
  const letter = await deps.letterDrawer.drawForReader(composeLetter(referral, options), caller.accountId);
  return { reference: referral.reference, letter };
}
