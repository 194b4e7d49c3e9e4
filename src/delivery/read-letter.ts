import type { Caller } from '../accounts/index.ts';
import { forbidden, notFound, Problem } from '../platform/problem/index.ts';
import { isServiceHidden, loadContactElsewhereForCallers, readAudited } from '../referrals/index.ts';
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
  const request = { referralId, ipAddress, action: 'referral.letter_read' } as const;
  const { referral, told } = await readAudited(
    deps,
    caller,
    request,
    async (trx, { referral: found }, at) => {
      if (found.requested_at === null) throw new Problem(notFound);
      if (await isServiceHidden(trx, { caller, referral: found }))
        throw new Problem(
          forbidden,
          'It names a restricted service. Give a reason to open the referral first.',
        );
      const elsewhere = await loadContactElsewhereForCallers(trx, [{ caller, referral: found }]);
      const contactElsewhere = elsewhere.get(found.id) ?? [];
      return {
        referral: found,
        told: { contactElsewhere, ...(await findNewsAndFiles(trx, { id: found.id, at })) },
      };
    },
  );
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
