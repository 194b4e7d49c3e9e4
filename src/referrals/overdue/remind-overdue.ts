import { listActiveProviders } from '../../accounts/index.ts';
import { recordAudit, recordAudits, siteActor } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import { type Mail, queueMail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { addWorkingTime } from '../model/due/working-time.ts';
import { daysAfter, type Referral, siteAsHistoryActor, todayIn } from '../model/referral.ts';
import { rules } from '../model/state-machine.ts';
import { findReferral, lockReferral } from '../model/store.ts';
import { applyTransition } from '../progress/change-status.ts';
import { listOfReferences } from './list-of-references.ts';
import {
  listOrganizationsPastNextDate,
  listToReject,
  listUnremindedOrganizations,
  listUnwarnedOrganizations,
  markNextDateReminded,
  markReminded,
  type OverdueReferral,
  setRejection,
  type UnansweredReferrals,
} from './overdue-store.ts';
import { listPresentOperators, listStaff } from './present-people.ts';

const batchSize = 500;

/** The service has so much time to answer after the warning, however long the site was away before. */
const warningDays = 5;

/**
 * The `remind-overdue` job: rejects referrals that nobody answered in time, warns services before that, and reminds them of
 * others that are overdue. Each referral and each email is one transaction, so the job may be killed at any point and run
 * again. An error with one does not stop the others.
 * @throws Error at the end if anything failed, so that the job is retried and then counts as failed.
 */
export async function remindOverdue(deps: ReferralDeps): Promise<void> {
  const { rejectAfterDays, remindAfterDays } = deps.settings;
  const now = deps.clock.now();
  const failed: string[] = [];
  const attempt = async (id: string | null, message: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      failed.push(id ?? 'no organisation');
      deps.log.error({ id, error: describeError(error) }, message);
    }
  };
  if (rejectAfterDays !== undefined) {
    const due = { sentBefore: daysAfter(now, -rejectAfterDays), now };
    for (;;) {
      const ids = await listToReject(deps.db, due, { without: failed, limit: batchSize });
      for (const id of ids)
        await attempt(id, 'an overdue referral could not be rejected', () =>
          rejectUnanswered(deps, id, rejectAfterDays),
        );
      if (ids.length < batchSize) break;
    }
    // An hour more, because the job runs every hour.
    const sentBefore = daysAfter(addWorkingTime(now, { days: warningDays, hours: 1 }), -rejectAfterDays);
    for (const id of await listUnwarnedOrganizations(deps.db, sentBefore))
      await attempt(id, 'an organisation could not be warned of a rejection', () =>
        warnOfRejection(deps, id, { sentBefore }, rejectAfterDays),
      );
  }
  const unanswered =
    remindAfterDays === undefined ? { dueBefore: now } : { sentBefore: daysAfter(now, -remindAfterDays) };
  for (const id of await listUnremindedOrganizations(deps.db, unanswered))
    await attempt(id, 'an organisation could not be reminded of its unanswered referrals', () =>
      remindService(deps, id, unanswered),
    );
  for (const id of await listOrganizationsPastNextDate(deps.db, todayIn(now)))
    await attempt(id, 'an organisation could not be reminded of its overdue referrals', () =>
      remindOfNextDate(deps, id, todayIn(now)),
    );
  if (failed.length > 0) throw new Error(`${failed.length} could not be rejected or reminded`);
}

/** Rejects a referral that nobody answered, so that the referrer knows and can help the person another way. */
async function rejectUnanswered(deps: ReferralDeps, id: string, days: number): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const referral = await lockReferral(trx, id);
    // Meanwhile the service may have answered, or an operator may have restricted the referral.
    if (referral?.status !== 'requested' || referral.restrictedAt || !referral.rejectionAt) return;
    const text = `This was automatic: the service did not answer within ${days} days.`;
    const transition = {
      to: rules.reject.to,
      reason: { code: 'other', text } as const,
      outcome: null,
      expectedDate: null,
      at: deps.clock.now(),
    };
    await applyTransition(deps, trx, referral, transition, {
      by: 'site',
      history: siteAsHistoryActor,
      audit: siteActor,
    });
  });
}

/**
 * Sends one email to everybody who answers for an organisation’s services. It names no patient. If nobody there has an
 * account, no reminder is recorded, since the referrer would read that the service was reminded. Operators have the
 * unanswered delivery on their worklist anyway.
 */
async function remindService(
  deps: Platform,
  libraryOrganizationId: string,
  unanswered: UnansweredReferrals,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const { hasPeople, present } = await listStaff(trx, libraryOrganizationId, at);
    if (!hasPeople) return;
    const people = present.length > 0 ? present : await listPresentOperators(trx, at);
    const reminded = await markReminded(trx, libraryOrganizationId, unanswered, at);
    if (reminded.length === 0) return;
    const isForStaff = present.length > 0;
    for (const { email } of people)
      await queueMail(trx, deps, compose(deps.settings, email, reminded, isForStaff));
    for (const { id } of reminded) {
      await recordAudit(trx, {
        at,
        actor: siteActor,
        action: 'referral.reminded',
        subject: { type: 'referral', id },
        details: { people: people.length },
      });
    }
  });
}

/** Warns those who answer for a service that the site is going to reject referrals, and says when. */
async function warnOfRejection(
  deps: Platform,
  libraryOrganizationId: string | null,
  unanswered: UnansweredReferrals,
  afterDays: number,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const earliest = addWorkingTime(at, { days: warningDays });
    const warned = await setRejection(trx, libraryOrganizationId, unanswered, { afterDays, earliest });
    await tellStaffOrOperators(deps, trx, libraryOrganizationId, {
      referrals: warned,
      action: 'referral.rejection_warned',
      heading: (count) => `${count === 1 ? '1 referral is' : `${count} referrals are`} about to be rejected`,
      text: `Nobody has answered. If nobody does within ${warningDays} working days, the site rejects what was sent ${afterDays} days before.`,
      query: 'status=requested',
    });
  });
}

/** Reminds those who answer for a service of referrals that they accepted, and whose next date has passed. */
async function remindOfNextDate(
  deps: Platform,
  libraryOrganizationId: string | null,
  today: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await tellStaffOrOperators(deps, trx, libraryOrganizationId, {
      referrals: await markNextDateReminded(trx, libraryOrganizationId, today),
      action: 'referral.next_date_reminded',
      heading: (count) =>
        `${count === 1 ? '1 accepted referral is' : `${count} accepted referrals are`} overdue`,
      text: 'The first contact, the check that it is still safe to wait, or news of the person is missing. Change the state or the wait, or write to the referrer.',
      query: 'overdue=yes',
    });
  });
}

type Telling = {
  referrals: readonly OverdueReferral[];
  action: string;
  heading: (count: number) => string;
  text: string;
  /** What the list of referrals shows. */
  query: string;
};

/** Emails everybody who answers for an organisation's services, or the operators if nobody there can read it. */
async function tellStaffOrOperators(
  deps: Platform,
  trx: Trx,
  libraryOrganizationId: string | null,
  { referrals, action, heading, text, query }: Telling,
): Promise<void> {
  if (referrals.length === 0) return;
  const at = deps.clock.now();
  const { hasPeople, present: staff } = await listStaff(trx, libraryOrganizationId, at);
  const people = staff.length > 0 ? staff : await listPresentOperators(trx, at);
  const view = staff.length > 0 ? 'received' : 'all';
  const paragraphs = [
    `${heading(referrals.length)}.`,
    listOfReferences(referrals),
    staff.length > 0
      ? text
      : `${text} ${hasPeople ? 'Everybody of the service is on leave' : 'Nobody of the service has an account here'}: telephone the service.`,
    `See them here:\n\n${deps.settings.baseUrl}/referrals?view=${view}&${query}`,
  ];
  const subject = `${heading(referrals.length)} – ${deps.settings.siteName}`;
  for (const { email } of people)
    await queueMail(trx, deps, { to: email, subject, text: `${paragraphs.join('\n\n')}\n` });
  await recordAudits(
    trx,
    referrals.map(({ id }) => ({
      at,
      actor: siteActor,
      action,
      subject: { type: 'referral', id },
      details: { people: people.length },
    })),
  );
}

function compose(
  { siteName, baseUrl }: Platform['settings'],
  to: string,
  referrals: readonly OverdueReferral[],
  isForStaff: boolean,
): Mail {
  const count = referrals.length === 1 ? '1 referral waits' : `${referrals.length} referrals wait`;
  const forAnswer = isForStaff ? `${count} for your answer` : `${count} for an answer`;
  const list = `${baseUrl}/referrals?view=${isForStaff ? 'received' : 'all'}&status=requested`;
  const paragraphs = [
    isForStaff ? `${count} for an answer from your service.` : `${forAnswer}.`,
    listOfReferences(referrals),
    isForStaff
      ? `Read and answer here:\n\n${list}`
      : `Everybody of the service is on leave: telephone the service. See them here:\n\n${list}`,
  ];
  return { to, subject: `${forAnswer} – ${siteName}`, text: `${paragraphs.join('\n\n')}\n` };
}

/** When a service is reminded of a referral and warned of its rejection, and when the site rejects it. */
export type OverdueDates = {
  remindAt: Date | undefined;
  warnAt: Date | undefined;
  rejectAt: Date | undefined;
};

/**
 * The dates for a referral. A test site can simulate that time has passed for it, in `simulatedMs`. Where nobody can be
 * reminded, there is no date for that.
 */
export async function findOverdueDates(
  { db, settings: { remindAfterDays, rejectAfterDays } }: Pick<Platform, 'db' | 'settings'>,
  { status, requested_at, due_at, remindedAt, rejectionAt, restrictedAt, service }: Referral,
  simulatedMs: number,
): Promise<OverdueDates> {
  if (status !== 'requested' || restrictedAt !== null)
    return { remindAt: undefined, warnAt: undefined, rejectAt: undefined };
  const earlier = (moment: Date) => new Date(moment.getTime() - simulatedMs);
  const after = (days: number | undefined) =>
    days === undefined ? undefined : daysAfter(earlier(requested_at), days);
  const people =
    service.organization_id === null ? [] : await listActiveProviders(db, service.organization_id);
  const canBeReminded = remindedAt === null && people.length > 0;
  const dueAt = due_at === null ? undefined : earlier(due_at);
  const remindAt = canBeReminded ? (after(remindAfterDays) ?? dueAt) : undefined;
  const rejectAt = after(rejectAfterDays);
  if (rejectAt === undefined || rejectionAt === null)
    return { remindAt, warnAt: rejectAt && warningBefore(rejectAt), rejectAt };
  const asWarned = earlier(rejectionAt);
  return { remindAt, warnAt: undefined, rejectAt: asWarned > rejectAt ? asWarned : rejectAt };
}

/** The last time of day like that of the rejection that leaves the service its working days. */
function warningBefore(rejectAt: Date): Date {
  let warnAt = daysAfter(rejectAt, -warningDays);
  while (addWorkingTime(warnAt, { days: warningDays }) > rejectAt) warnAt = daysAfter(warnAt, -1);
  return warnAt;
}

/** The same as the job, for one referral for which a test site simulates that time has passed. */
export async function remindOverdueReferral(
  deps: ReferralDeps,
  id: string,
  simulatedMs: number,
): Promise<void> {
  const { db, clock, settings } = deps;
  const referral = await findReferral(db, id);
  if (!referral) return;
  const now = clock.now();
  const { remindAt, warnAt, rejectAt } = await findOverdueDates(deps, referral, simulatedMs);
  const { organization_id: organization } = referral.service;
  if (warnAt && warnAt <= now)
    await warnOfRejection(deps, organization, { only: id }, settings.rejectAfterDays!);
  else if (rejectAt && rejectAt <= now) return rejectUnanswered(deps, id, settings.rejectAfterDays!);
  if (remindAt && remindAt <= now && organization !== null)
    await remindService(deps, organization, { only: id });
}
