import { type Notification, newsInWords, subjectAboutOne, tellPeople } from '../../accounts/index.ts';
import { findDeliveryAddress, findServicesForReferral } from '../../library/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { handleAllDue } from '../../platform/jobs/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { findAssignedOwnerIds } from '../casework/casework-store.ts';
import { hasServiceMoved } from '../model/access/moved-service.ts';
import { findPeople, listOperatorsAtWork, type StaffMember } from '../model/actors/people-at-work.ts';
import { findReferrerTelephone } from '../model/actors/referrer-telephone-store.ts';
import {
  listPendingNotifications,
  type PendingNotification,
  takeNotifications,
} from '../model/attention/notifications-store.ts';
import { mustBeOpenedSoon } from '../model/attention/watches.ts';
import { listArrivedWithUnseenRisk } from '../model/attention/watches-store.ts';
import type { Referral } from '../model/referral.ts';
import { findReferrals } from '../model/referrals-store.ts';
import { isStillUrgent } from '../model/status/state-machine.ts';
import { isUsable } from '../model/status/usable.ts';
import { isStillDangerous, isStillTrue } from './still-true.ts';
import { listWorklistOwners } from './worklist-owners-store.ts';

/**
 * The `tell-news` job: sends notifications, emails of what is new about referrals, as each person chose. A service without anybody who has an
 * account is told at its address for referrals.
 * @throws Error at the end if anything failed, so that the job is retried and then counts as failed.
 */
export async function sendNotifications(deps: Platform): Promise<void> {
  const failed = await handleAllDue(deps, (page) => listPendingNotifications(deps.db, page), {
    handle: (trx, ids) => sendThese(trx, deps, ids),
    batchSize: 100,
    failure: 'nobody could be told of news',
  });
  if (failed.length > 0) throw new Error(`nobody could be told of news: ${failed.length}`);
}

async function sendThese(trx: Trx, deps: Platform, ids: readonly string[]): Promise<void> {
  const notifications = await takeNotifications(trx, ids);
  const referrals = await findReferrals(trx, [...new Set(notifications.map(({ referralId }) => referralId))]);
  // Why a referral was transferred is not in its content, and may have words of a crisis.
  const unseenRisks = await listArrivedWithUnseenRisk(trx, [...referrals.keys()]);
  // Nobody may work with a referral that was restricted or erased meanwhile, and an end may have been taken back.
  const news = notifications.flatMap((each) => {
    const referral = referrals.get(each.referralId);
    if (!referral || !mayTell(each.kind, referral) || !isStillTrue(each.kind, referral)) return [];
    const isAtRisk = each.kind === 'new-referral' && unseenRisks.has(referral.id);
    return [{ ...each, referral, isAtRisk }];
  });
  const receiversOf = await findReceivers(trx, deps, news);
  const withReceivers = news.map((each) => ({ ...each, receivers: receiversOf(each) }));
  await tellPeople(trx, deps, groupNotifications(deps, withReceivers));
  const forNobody = withReceivers.filter(
    ({ side, receivers }) => side === 'provider' && !receivers.hasPeople,
  );
  await tellServicesWithoutAccounts(trx, deps, forNobody);
}

/** Both sides are told that a referral is restricted, and of nothing else while it is; and that it was erased, and of nothing else after. */
function mayTell(kind: PendingNotification['kind'], referral: Referral): boolean {
  if (kind === 'erased') return referral.erasedAt !== null;
  if (kind !== 'restricted') return isUsable(referral);
  return referral.restrictedAt !== null && referral.erasedAt === null;
}

type NotificationOfReferral = PendingNotification & {
  referral: Referral;
  /** Something that came with it tells of a risk, and nobody has seen that. */
  isAtRisk: boolean;
};

type Receivers = {
  /** Whether the side has anybody at all, on leave or not. */
  hasPeople: boolean;
  people: readonly StaffMember[];
};

/**
 * Whom to tell.
 * - The owner of the referral on that side, and the person who made it if a colleague did something.
 * - Without an owner: everybody of the service; on the referrer's side the person who made it, or their colleagues if they have left.
 * - Of undelivered messages: the operator who looks after them.
 *
 * While somebody is on leave, the person who stands in is told.
 */
async function findReceivers(
  trx: Trx,
  deps: Platform,
  news: readonly NotificationOfReferral[],
): Promise<(news: NotificationOfReferral) => Receivers> {
  const now = deps.clock.now();
  const peopleOf = await findPeople(trx, news.map(sideOf), now);
  const operators = await listOperatorsAtWork(trx, now);
  const ownerOf = await findAssignedOwnerIds(
    trx,
    news.map(({ referralId }) => referralId),
  );
  const worklistOwnersOf = await listWorklistOwners(
    trx,
    news.filter(({ side }) => side === 'operators').map(({ referralId }) => referralId),
  );
  return (each) => {
    if (each.side === 'operators') {
      const owners = operators.filter(({ id }) => worklistOwnersOf(each.referralId).includes(id));
      return { hasPeople: true, people: owners.length > 0 ? owners : operators };
    }
    const { hasPeople, present, ownerOrStandIn } = peopleOf(sideOf(each));
    const withoutWhoDidIt = (people: readonly StaffMember[]) =>
      people.filter(({ id }) => id !== each.actorId);
    const owner = ownerOrStandIn(ownerOf(each.referralId, each.side));
    const ofOwner = withoutWhoDidIt(owner ? [owner] : []);
    const referrer = each.side === 'referrer' ? ownerOrStandIn(each.referral.referrerAccountId) : undefined;
    // What a colleague did to the referral must not go unnoticed by the person who made it.
    if (owner && referrer && owner.id !== referrer.id && present.some(({ id }) => id === each.actorId))
      return { hasPeople, people: withoutWhoDidIt([owner, referrer]) };
    // The people of the service to which a referral was transferred have to learn of it, too.
    const isForAll = each.kind === 'new-referral' || (each.kind === 'reopened' && each.side === 'provider');
    if (each.kind === 'assigned' || (ofOwner.length > 0 && !isForAll)) return { hasPeople, people: ofOwner };
    return { hasPeople, people: withoutWhoDidIt(referrer ? [referrer] : present) };
  };
}

function sideOf({ side, referral }: NotificationOfReferral) {
  if (side === 'operators') return { side } as const;
  if (side === 'provider') return { side, serviceOrganizationId: referral.service.organization_id } as const;
  const { referrerOrganisationId, referrerAccountId } = referral;
  return { side, referrerOrganisationId, referrerAccountId } as const;
}

/**
 * News of one kind for the same people, so that ten referrals make one email. One that is urgent or with a risk of harm, and new or open
 * again, has an email of its own; so has news with words of a crisis.
 */
function groupNotifications(
  { settings }: Pick<Platform, 'settings'>,
  news: readonly (NotificationOfReferral & { receivers: Receivers })[],
): Notification[] {
  const groups = Map.groupBy(news, ({ kind, referral, isAtRisk, receivers }) => {
    const mayStandAlone = kind === 'new-referral' || kind === 'reopened';
    const isAlone = mayStandAlone && (isAtRisk || mustBeOpenedSoon(referral, settings.crisisPhrases));
    const alone = isAlone || dangerKinds.includes(kind) ? referral.id : '';
    return `${kind} ${alone} ${receivers.people.map(({ id }) => id).join(' ')}`;
  });
  return [...groups.values()].map((group) => {
    const { kind, receivers } = group[0]!;
    const byId = new Map(group.map((each) => [each.referral.id, each]));
    return {
      kind,
      people: receivers.people,
      referrals: [...byId.values()].map((each) => ({
        ...each.referral,
        ...urgencyAndRiskOf(each, settings),
      })),
    };
  });
}

/** What an email says of a referral besides its reference. */
function urgencyAndRiskOf(
  { referral, isAtRisk }: Pick<NotificationOfReferral, 'referral' | 'isAtRisk'>,
  settings: Platform['settings'],
) {
  return { isUrgent: isStillUrgent(referral), isDangerous: isAtRisk || isStillDangerous(referral, settings) };
}

/**
 * Tells services that nobody with an account answers for, at their address for referrals. A new referral, its corrections and its
 * cancellation reach them as letters if they get letters by email.
 */
async function tellServicesWithoutAccounts(
  trx: Trx,
  deps: Platform,
  news: readonly NotificationOfReferral[],
): Promise<void> {
  const services = await findServicesForReferral(trx, [
    ...new Set(news.map(({ referral }) => referral.service_id)),
  ]);
  const mails: MailToPeople[] = [];
  for (const each of news) {
    const { kind, referral } = each;
    const service = services.get(referral.service_id);
    if (!service || hasServiceMoved(service, referral)) continue;
    if (!kindsWithoutLetter.includes(kind) && service.channels.includes('email')) continue;
    const deliveryAddress = await findDeliveryAddress(trx, { serviceId: service.id }, 'email');
    if (!deliveryAddress) continue;
    const telephone = await findReferrerTelephone(trx, referral);
    mails.push(composeForService(deps.settings, deliveryAddress.address, { ...each, telephone }));
  }
  await mailPeople(trx, deps, 'news', ...mails);
}

/** What a service is told of a referral that an account would not let it read either. */
const unreadableBecause: Readonly<Partial<Record<PendingNotification['kind'], string>>> = {
  restricted: 'Nobody can read it or work with it for now, and nothing of it is sent.',
  erased: 'What it said is gone from this site for good.',
};

const messageKinds: readonly PendingNotification['kind'][] = ['message', 'file', 'urgent-message'];
const dangerKinds: readonly PendingNotification['kind'][] = ['urgent-message', 'urgent-news'];

/** A service that gets letters by email has none about these. */
const kindsWithoutLetter: readonly PendingNotification['kind'][] = [
  ...messageKinds,
  'restricted',
  'unrestricted',
  'erased',
  'file-with-virus',
];

/** Nobody there can read what was written, so they have to hear it from those who wrote it. */
function inDanger(settings: Platform['settings'], telephone: string | null): string {
  const how =
    telephone === null
      ? `No number of the referrer was recorded: ask ${contactOf(settings)}, or ring the organisation that referred the person.`
      : `Ring the referrer on ${telephone} now, and ask what has been done.`;
  return `Somebody may be in danger. ${how} Say the reference. If somebody is in danger now, call 999.`;
}

/** The email names no person and no service. */
function composeForService(
  settings: Platform['settings'],
  address: string,
  { kind, referral, isAtRisk, telephone }: NotificationOfReferral & { telephone: string | null },
): MailToPeople {
  const urgencyAndRisk = urgencyAndRiskOf({ referral, isAtRisk }, settings);
  const one = newsInWords(kind, [urgencyAndRisk]);
  const unreadable = unreadableBecause[kind];
  return {
    to: [address],
    subject: `${subjectAboutOne(kind, urgencyAndRisk)}: ${referral.reference}`,
    paragraphs: [
      `${one}: ${referral.reference}`,
      ...(dangerKinds.includes(kind) ? [inDanger(settings, telephone)] : []),
      ...(messageKinds.includes(kind) && !dangerKinds.includes(kind) && telephone !== null
        ? [`It may be urgent. Ring the referrer on ${telephone} to hear it. Say the reference.`]
        : []),
      ...(unreadable
        ? [`${unreadable} Ask ${contactOf(settings)} if you have to know why. Say the reference.`]
        : [
            `You need an account to read it, and nobody of your organisation has one. Ask ${contactOf(settings)} for an account, or to ring you. Say the reference.`,
            `When you have an account:\n\n${settings.baseUrl}/referrals/${referral.id}`,
          ]),
    ],
  };
}
