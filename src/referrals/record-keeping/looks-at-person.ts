import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { isSafeToName, listReferralsWithHiddenService } from '../model/access/hide-sensitive-services.ts';
import { lookKeys } from '../model/access/looks.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { withCompactNumber } from '../model/person/identity/nhs-number.ts';
import { findReferralsAndDrafts } from '../model/referrals-store.ts';
import { findPerson, type PatientDetails } from './find-person.ts';
import { type LookAtPerson, listLooksAtPerson } from './looks-at-person-store.ts';

// The code and its tables call an entry of the access record a look; pages never do.

const maxShown = 500;

/** Somebody whose name would tell which sensitive service the person uses is left out (null). */
export type ShownLook = Omit<LookAtPerson, 'referralIds'> & { references: string[]; isHidden: boolean };

/**
 * Who saw a person in a referral, a list or a copy, and who searched for them, in the last 13 months: for somebody who asks, and for the
 * Caldicott guardian. The people who made a referral are left out for that referral. This is itself a search for the person.
 * @throws Problem as `findPerson`.
 */
export async function findLooksAtPerson(
  deps: ReferralDeps,
  caller: Caller,
  details: { person: PatientDetails; postcode?: string | undefined; ipAddress: string; reason: string },
): Promise<{ looks: ShownLook[]; isCut: boolean }> {
  const presented = await findPerson(deps, caller, details);
  const { person, postcode, ipAddress } = details;
  return inTransaction(deps.db, async (trx) => {
    const referrals = await findReferralsAndDrafts(
      trx,
      presented.map(({ id }) => id),
    );
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'patient.looks_read',
      details: { referrals: referrals.map(({ id }) => id) },
    });
    const familyName = person.family_name ?? referrals[0]?.content.patient?.family_name;
    const keys = lookKeys(deps.secrets, withCompactNumber({ ...person, family_name: familyName, postcode }));
    const referralIds = referrals.map(({ id }) => id);
    const rows = await listLooksAtPerson(trx, { referralIds, keys }, maxShown + 1);
    const hidden = await listReferralsWithHiddenService(
      trx,
      referrals.map((referral) => ({ caller, referral })),
    );
    const looks = rows.slice(0, maxShown).map(({ referralIds: lookReferralIds, ...look }) => {
      const concerned = referrals.filter(({ id }) => look.kind === 'search' || lookReferralIds.includes(id));
      const isHidden = concerned.some((referral) => hidden.has(referral.id) && !isSafeToName(referral, look));
      const references = concerned
        .filter(({ id }) => lookReferralIds.includes(id))
        .map(({ reference }) => reference);
      const nobody = { accountId: null, accountName: null, organisationId: null, organisation: null };
      return { ...look, ...(isHidden && { ...nobody, roles: null, sentTo: null }), references, isHidden };
    });
    return { looks, isCut: rows.length > maxShown };
  });
}
