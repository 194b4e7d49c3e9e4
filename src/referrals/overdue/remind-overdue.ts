import { listEnabledProviders } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { handleAllDue } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { siteAsHistoryActor } from '../model/actors/authors.ts';
import { findStaff } from '../model/actors/people-at-work.ts';
import { changeStatus } from '../model/change-status.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { addDaysOf24Hours, londonDate } from '../model/due/dates.ts';
import { addWorkingTime, onWorkingDay, workingDaysBefore } from '../model/due/working-time.ts';
import type { Referral } from '../model/referral.ts';
import { findReferral, lockReferral } from '../model/referrals-store.ts';
import { actionRules } from '../model/status/state-machine.ts';
import { handleByOrganization } from './handle-by-organization.ts';
import {
  listOrganizationsPastNextDate,
  listOrganizationsWithKeptOpen,
  listToReject,
  listUnremindedOrganizations,
  listUnwarnedOrganizations,
  markNextDateReminded,
  markReminded,
  mayBeRejected,
  rescheduleRejections,
  scheduleRejections,
  type UnansweredReferrals,
} from './overdue-store.ts';
import { tellOfKeptOpen } from './tell-of-kept-open.ts';
import { tellReferrers } from './tell-referrers.ts';
import { type Reminder, tellOperatorsToo, tellStaffOrOperators } from './tell-staff.ts';
import { warnServicesWithoutAccounts } from './warn-services-without-accounts.ts';

/** The working days that the service has to answer after the warning, however long the site was down before. */
const warningDays = 5;

/**
 * The `remind-overdue` job: rejects referrals that nobody answered in time, warns both sides before that, and reminds services of
 * others that are overdue. One that is urgent or tells of a danger that nobody there has seen stays open (`mustStayOpenSql`), and people
 * are told.
 * @throws Error at the end if anything failed, so that the job is retried and then counts as failed.
 */
export async function remindOverdue(deps: ReferralDeps): Promise<void> {
  const { rejectAfterDays, remindAfterDays } = deps.settings;
  const now = deps.clock.now();
  const today = londonDate(now);
  const failed = rejectAfterDays === undefined ? [] : await rejectAndWarn(deps, rejectAfterDays, now);
  const unanswered =
    remindAfterDays === undefined
      ? { dueBefore: now }
      : { sentBefore: addDaysOf24Hours(now, -remindAfterDays) };
  const reminders = await handleByOrganization(deps, await listUnremindedOrganizations(deps.db, unanswered), {
    handle: (trx, ids) => remindOfUnansweredReferrals(trx, deps, ids, unanswered),
    failure: 'an organisation could not be reminded of its unanswered referrals',
  });
  const nextDates = await handleByOrganization(deps, await listOrganizationsPastNextDate(deps.db, today), {
    handle: (trx, ids) => remindOfNextDate(trx, deps, ids, today),
    failure: 'an organisation could not be reminded of its overdue referrals',
  });
  failed.push(...reminders, ...nextDates);
  if (failed.length > 0) throw new Error(`${failed.length} could not be rejected or reminded`);
}

/**
 * Rejects what nobody answered after the warning, warns before the next rejections, and tells people about referrals that it keeps open.
 * @returns the referrals and organisations that failed
 */
async function rejectAndWarn(
  deps: ReferralDeps,
  rejectAfterDays: number,
  now: Date,
): Promise<(string | null)[]> {
  const due = { sentBefore: addDaysOf24Hours(now, -rejectAfterDays), now };
  const failedRejections = await handleAllDue(deps, (page) => listToReject(deps.db, due, page), {
    handle: (trx, [id]) => rejectUnansweredReferral(trx, deps, id!, rejectAfterDays),
    batchSize: 1,
    failure: 'an overdue referral could not be rejected',
  });
  // An hour more, because the job runs every hour: no service gets less time than the warning promises.
  const sentBefore = addDaysOf24Hours(
    addWorkingTime(deps.settings, now, { days: warningDays, hours: 1 }),
    -rejectAfterDays,
  );
  const failedWarnings = await handleByOrganization(
    deps,
    await listUnwarnedOrganizations(deps.db, sentBefore),
    {
      handle: (trx, ids) => warnOfRejection(trx, deps, ids, { sentBefore }, rejectAfterDays),
      failure: 'an organisation could not be warned of a rejection',
    },
  );
  const today = londonDate(now);
  const keptOpen = await listOrganizationsWithKeptOpen(deps.db, { sentBefore, today });
  const failedEmails = await handleByOrganization(deps, keptOpen, {
    handle: (trx, ids) => tellOfKeptOpen(trx, deps, ids, sentBefore),
    failure: 'nobody could be told of referrals that stay open',
  });
  return [...failedRejections, ...failedWarnings, ...failedEmails];
}

/** The setting counts every day, also weekends and bank holidays. */
function inDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

/** Rejects a referral that nobody answered, so that the referrer knows and can help the person another way. */
async function rejectUnansweredReferral(
  trx: Trx,
  deps: ReferralDeps,
  id: string,
  days: number,
): Promise<void> {
  const referral = await lockReferral(trx, id);
  // Since it was listed, the service may have answered, an operator may have restricted it, or it may have become urgent.
  if (referral?.status !== 'requested' || referral.restrictedAt || !referral.rejectionAt) return;
  if (!(await mayBeRejected(trx, id))) return;
  const text = `This was automatic: the service had not answered ${inDays(days)} after the referral was sent, nor within ${warningDays} working days of a warning.`;
  const transition = {
    to: actionRules.reject.to,
    reason: { code: 'other', text } as const,
    endCause: 'nobody-answered' as const,
    outcome: null,
    expectedDate: null,
    at: deps.clock.now(),
  };
  await changeStatus(trx, deps, referral, transition, {
    by: 'site',
    history: siteAsHistoryActor,
    audit: siteActor,
  });
}

/**
 * Reminds services of referrals that wait for their answer. Where nobody has an account, no reminder is recorded, since the
 * referrer would read that the service was reminded. Operators have the unanswered delivery on their worklist anyway.
 */
async function remindOfUnansweredReferrals(
  trx: Trx,
  deps: Platform,
  organizations: readonly string[],
  unanswered: UnansweredReferrals,
): Promise<void> {
  const at = deps.clock.now();
  const staffOf = await findStaff(trx, organizations, at);
  const withPeople = organizations.filter((id) => staffOf(id).hasPeople);
  await tellStaffOrOperators(trx, deps, await markReminded(trx, withPeople, unanswered, at), {
    action: 'referral.reminded',
    heading: (count) => `${count === 1 ? '1 referral waits' : `${count} referrals wait`} for an answer`,
    text: 'The service has not answered yet.',
    query: 'status=requested',
  });
}

/** Warns services, and those who made the referrals, that the site is going to reject them, and says when. */
async function warnOfRejection(
  trx: Trx,
  deps: Platform,
  organizations: readonly (string | null)[],
  unanswered: UnansweredReferrals,
  afterDays: number,
): Promise<void> {
  const earliest = addWorkingTime(deps.settings, deps.clock.now(), { days: warningDays });
  const warned = await scheduleRejections(trx, organizations, unanswered, { afterDays, earliest });
  // At a weekend or on a bank holiday, neither side would see that it was declined.
  const dated = warned.map((each) => {
    const at = onWorkingDay(deps.settings, each.rejectionAt);
    return { ...each, at, declinedOn: dayInWords(at) };
  });
  await rescheduleRejections(
    trx,
    dated.filter(({ at, rejectionAt }) => at > rejectionAt),
  );
  const heading = (count: number) =>
    `${count === 1 ? '1 referral is' : `${count} referrals are`} about to be declined`;
  const text = `Nobody has answered. If nobody does, the site declines each by itself on the day that stands beside it: ${inDays(afterDays)} after it was sent, on a working day, and not before ${warningDays} working days from now.`;
  await tellStaffOrOperators(trx, deps, dated, {
    action: 'referral.rejection_warned',
    heading,
    text,
    query: 'status=requested',
    cannotBeSwitchedOff: true,
  });
  await warnServicesWithoutAccounts(trx, deps, dated);
  await tellReferrers(trx, deps, dated, {
    heading,
    text: `${text} Until then you can telephone the service, or find the person other help.`,
  });
}

/** A service is reminded again after these working days, while the referral is overdue. */
const remindAgainDays = 5;
/** After this many reminders, operators are told too. */
const remindersBeforeOperators = 2;

/** Reminds services of referrals that they accepted, and whose next date has passed: the owner first, then everybody. */
async function remindOfNextDate(
  trx: Trx,
  deps: Platform,
  organizations: readonly (string | null)[],
  today: string,
): Promise<void> {
  const again = londonDate(addWorkingTime(deps.settings, deps.clock.now(), { days: remindAgainDays }));
  const reminded = await markNextDateReminded(trx, organizations, { today, again });
  const reminder: Reminder = {
    action: 'referral.next_date_reminded',
    heading: (count) =>
      `${count === 1 ? '1 accepted referral is' : `${count} accepted referrals are`} overdue`,
    text: 'The first contact, the check that it is still safe to wait, or an update about the person is overdue. Change the status or the wait, or write to the referrer.',
    query: 'overdue=yes',
  };
  await tellStaffOrOperators(trx, deps, reminded, reminder);
  await tellOperatorsToo(
    trx,
    deps,
    reminded.filter(({ reminders }) => reminders > remindersBeforeOperators),
    reminder,
  );
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
  { db, settings }: Pick<Platform, 'db' | 'settings'>,
  {
    id,
    status,
    requested_at,
    due_at,
    remindedAt,
    rejectionAt,
    restrictedAt,
    deathReportedAt,
    service,
  }: Referral,
  simulatedMs: number,
): Promise<OverdueDates> {
  if (status !== 'requested' || restrictedAt !== null || deathReportedAt !== null)
    return { remindAt: undefined, warnAt: undefined, rejectAt: undefined };
  const { remindAfterDays, rejectAfterDays } = settings;
  const earlier = (moment: Date) => new Date(moment.getTime() - simulatedMs);
  const after = (days: number | undefined) =>
    days === undefined ? undefined : addDaysOf24Hours(earlier(requested_at), days);
  const people =
    service.organization_id === null ? [] : await listEnabledProviders(db, [service.organization_id]);
  const canBeReminded = remindedAt === null && people.length > 0;
  const dueAt = due_at === null ? undefined : earlier(due_at);
  const remindAt = canBeReminded ? (after(remindAfterDays) ?? dueAt) : undefined;
  const periodEndsAt = (await mayBeRejected(db, id)) ? after(rejectAfterDays) : undefined;
  if (!periodEndsAt) return { remindAt, warnAt: undefined, rejectAt: undefined };
  const rejectAt = onWorkingDay(settings, periodEndsAt);
  if (rejectionAt === null)
    return { remindAt, warnAt: workingDaysBefore(settings, periodEndsAt, warningDays), rejectAt };
  // The warning promised a date.
  const promisedAt = earlier(rejectionAt);
  return { remindAt, warnAt: undefined, rejectAt: promisedAt > rejectAt ? promisedAt : rejectAt };
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
  await inTransaction(db, async (trx) => {
    if (warnAt && warnAt <= now)
      await warnOfRejection(trx, deps, [organization], { only: id }, settings.rejectAfterDays!);
    else if (rejectAt && rejectAt <= now)
      return rejectUnansweredReferral(trx, deps, id, settings.rejectAfterDays!);
    if (remindAt && remindAt <= now && organization !== null)
      await remindOfUnansweredReferrals(trx, deps, [organization], { only: id });
  });
}
