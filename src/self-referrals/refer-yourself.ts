import { beginAttempt } from '../accounts/index.ts';
import { anonymousActor, recordAudit } from '../audit/index.ts';
import { findServiceForReferral, isUnattended, mentionsCrisis, whyNoReferral } from '../library/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { isListedInDirectory } from '../search/index.ts';
import { findDesk, lockDesk } from './desk-store.ts';
import { mailDesk } from './mail-desk.ts';
import { type Desk, dayToRingBy, deskState, ringDayInWords, type SelfReferralDetails } from './model.ts';
import { findReceipt, insertSelfReferral } from './self-referrals-store.ts';

/** The path of the page on which people refer themselves to a service. */
export const selfReferralPathOf = (serviceId: string) =>
  `/find/${encodeURIComponent(serviceId)}/refer-yourself`;

/** The paths on which people can refer themselves now, by the ids of the services. A service that nobody can refer themselves to has none. */
export async function findSelfReferralPaths(
  deps: Platform,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { db, clock, settings } = deps;
  if (!settings.selfReferral || deskState(await findDesk(db), settings, clock.now()) !== 'open')
    return new Map();
  const services = await Promise.all(serviceIds.map((id) => findSelfReferralService(deps, id)));
  return new Map(
    services.flatMap((service) => (service ? [[service.id, selfReferralPathOf(service.id)]] : [])),
  );
}

/** A service to which people may refer themselves. */
type ServiceToChoose = { id: string; name: string; minimumAge: number | null; maximumAge: number | null };

/** The service, if people may refer themselves to it and it takes referrals. */
export async function findSelfReferralService(
  deps: Platform,
  serviceId: string,
): Promise<ServiceToChoose | undefined> {
  const { db, settings } = deps;
  const service = await findServiceForReferral(db, serviceId);
  if (!service?.selfReferral || !(await isListedInDirectory(deps, serviceId))) return undefined;
  const hasNoStaff = settings.mode === 'live' && (await isUnattended(db, service));
  return whyNoReferral(service, hasNoStaff) === undefined ? service : undefined;
}

export type SentForm = { formId: string; serviceId: string; details: SelfReferralDetails };

/**
 * Stores what somebody sends to refer themselves, and emails the owner and the deputy. A form that is sent twice is stored once.
 * @returns false if nobody can refer themselves now. @throws Problem `too-many-attempts`.
 */
export async function referYourself(
  deps: Platform,
  { formId, serviceId, details, ipAddress }: SentForm & { ipAddress: string },
): Promise<boolean> {
  if (await findReceipt(deps.db, formId)) return true;
  const digits = details.telephone.replaceAll(/\D/g, '');
  await beginAttempt(deps, { kind: 'self-referral', identifier: digits, ipAddress });
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const desk = await lockDesk(trx);
    if (!desk || deskState(desk, deps.settings, at) !== 'open') return false;
    const selfReferral = {
      id: formId,
      serviceId,
      receivedAt: at,
      ringBy: dayToRingBy(deps.settings, desk, at),
      details,
      mentionsCrisis: mentionsCrisis(
        [details.about, details.only_at].filter(Boolean).join('. '),
        deps.settings.crisisPhrases,
      ),
    };
    if (!(await insertSelfReferral(trx, selfReferral))) return true;
    await recordAudit(trx, {
      at,
      actor: anonymousActor(ipAddress),
      action: 'self-referral.made',
      subject: { type: 'self_referral', id: formId },
    });
    await mailNewSelfReferral(trx, deps, desk, selfReferral);
    return true;
  });
}

/** The email says nothing of the person or the service. */
async function mailNewSelfReferral(
  trx: Trx,
  deps: Platform,
  desk: Desk,
  selfReferral: { mentionsCrisis: boolean; ringBy: string },
): Promise<void> {
  const { siteName, baseUrl } = deps.settings;
  await mailDesk(trx, deps, desk, 'news', {
    subject: selfReferral.mentionsCrisis
      ? 'Urgent: somebody referred themselves'
      : 'Somebody referred themselves',
    paragraphs: [
      `Somebody has referred themselves on ${siteName}.`,
      selfReferral.mentionsCrisis
        ? 'What they wrote has words of a crisis. Take it now. It says when it is safe to ring them.'
        : `The page told them that somebody rings by ${ringDayInWords(selfReferral.ringBy)}.`,
      `Take it here:\n\n${baseUrl}/self-referrals`,
    ],
  });
}
