import { findDeliveryAddress, findServicesForReferral } from '../../library/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { hasServiceMoved } from '../model/access/moved-service.ts';
import { findStaff } from '../model/actors/people-at-work.ts';
import { findReferrerTelephone } from '../model/actors/referrer-telephone-store.ts';
import { findReferrals } from '../model/referrals-store.ts';
import type { OverdueReferral } from './overdue-store.ts';

/**
 * Warns services where nobody has an account, at their address for referrals, that the site is going to decline a referral. They answer by
 * the link that they have, or ring. The email names no person and no service.
 */
export async function warnServicesWithoutAccounts(
  trx: Trx,
  deps: Platform,
  warned: readonly (OverdueReferral & { declinedOn: string })[],
): Promise<void> {
  if (warned.length === 0) return;
  const staffOf = await findStaff(
    trx,
    warned.map(({ organizationId }) => organizationId),
    deps.clock.now(),
  );
  const unattended = warned.filter(({ organizationId }) => !staffOf(organizationId).hasPeople);
  const referrals = await findReferrals(
    trx,
    unattended.map(({ id }) => id),
  );
  const services = await findServicesForReferral(trx, [
    ...new Set([...referrals.values()].map(({ service_id }) => service_id)),
  ]);
  const mails: MailToPeople[] = [];
  for (const { id, reference, declinedOn } of unattended) {
    const referral = referrals.get(id);
    const service = referral && services.get(referral.service_id);
    if (!service || hasServiceMoved(service, referral)) continue;
    const deliveryAddress = await findDeliveryAddress(trx, { serviceId: service.id }, 'email');
    if (!deliveryAddress) continue;
    const telephone = await findReferrerTelephone(trx, referral);
    const whom = telephone === null ? contactOf(deps.settings) : `the referrer on ${telephone}`;
    mails.push({
      to: [deliveryAddress.address],
      subject: `A referral to your service is declined on ${declinedOn} if nobody answers: ${reference}`,
      paragraphs: [
        `Nobody at your service has answered this referral: ${reference}`,
        `If nobody does, this site declines it by itself on ${declinedOn}, and the person has to find other help.`,
        `Answer it by the link in our earlier email about it, or ring ${whom}. Say the reference.`,
      ],
    });
  }
  await mailPeople(trx, deps, 'reminder', ...mails);
}
