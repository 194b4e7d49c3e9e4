import { headingWithUrgency, storeDigestsAndSplit } from '../../accounts/index.ts';
import { type AuditAction, recordAudits, siteActor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findAssignedOwnerIds } from '../casework/casework-store.ts';
import {
  findStaff,
  listOperatorsAtWork,
  type PeopleOfSide,
  type StaffMember,
} from '../model/actors/people-at-work.ts';
import { listOfReferences } from './list-of-references.ts';
import type { OverdueReferral } from './overdue-store.ts';

/** What to tell about some overdue referrals, and what the audit calls it. */
export type Reminder = {
  action: AuditAction;
  heading: (count: number) => string;
  text: string;
  /** What the list of referrals shows. */
  query: string;
  /** A warning also goes to people who have switched reminders off. */
  cannotBeSwitchedOff?: true;
};

/**
 * Emails everybody who answers for the services of each organisation, or the operators if nobody there can read it. The first
 * reminder of several goes to the referral’s owner alone, if it has one. The email names no patient.
 */
export async function tellStaffOrOperators(
  trx: Trx,
  deps: Platform,
  referrals: readonly OverdueReferral[],
  reminder: Reminder,
): Promise<void> {
  if (referrals.length === 0) return;
  const at = deps.clock.now();
  const organizations = new Set(referrals.map(({ organizationId }) => organizationId));
  const staffOf = await findStaff(trx, [...organizations], at);
  const ownerOf = await findAssignedOwnerIds(
    trx,
    referrals.map(({ id }) => id),
  );
  const operators = await listOperatorsAtWork(trx, at);
  const ownerToTell = ({ id, organizationId, reminders }: OverdueReferral) =>
    reminders === 1 ? staffOf(organizationId).ownerOrStandIn(ownerOf(id, 'provider')) : undefined;
  const byReceivers = Map.groupBy(referrals, (each) => `${each.organizationId} ${ownerToTell(each)?.id}`);
  const groups = [...byReceivers.values()].map((theirs) => {
    const staff = staffOf(theirs[0]!.organizationId);
    const owner = ownerToTell(theirs[0]!);
    const people = owner ? [owner] : staff.present;
    return { ...staff, kind: 'overdue' as const, people, ifAllSwitchedOff: staff.present, referrals: theirs };
  });
  const split = reminder.cannotBeSwitchedOff
    ? groups.map((group) => ({ ...group, atOnce: group.present }))
    : await storeDigestsAndSplit(trx, deps, groups);
  const reminders = split.map((group) => ({
    referrals: group.referrals,
    mail: composeReminder(deps.settings, group, operators, reminder),
  }));
  await mailPeople(trx, deps, 'reminder', ...reminders.map(({ mail }) => mail));
  const entries = reminders.flatMap(({ referrals: theirs, mail }) =>
    theirs.map(({ id }) => ({
      at,
      actor: siteActor,
      action: reminder.action,
      subject: { type: 'referral', id },
      details: { people: mail.to.length },
    })),
  );
  await recordAudits(trx, entries);
}

function composeReminder(
  { baseUrl }: Platform['settings'],
  {
    referrals,
    hasPeople,
    present,
    atOnce,
  }: PeopleOfSide & { referrals: readonly OverdueReferral[]; atOnce: readonly StaffMember[] },
  operators: readonly StaffMember[],
  { heading, text, query }: Reminder,
): MailToPeople {
  const isForStaff = present.length > 0;
  const reasonForOperators = hasPeople
    ? 'Everybody of the service is on leave'
    : 'Nobody at the service has an account here';
  const what = headingWithUrgency(heading(referrals.length), referrals);
  return {
    to: (isForStaff ? atOnce : operators).map(({ email }) => email),
    subject: what,
    paragraphs: [
      `${what}.`,
      listOfReferences(referrals),
      isForStaff ? text : `${text} ${reasonForOperators}: telephone the service.`,
      `See them here:\n\n${baseUrl}/referrals?view=${isForStaff ? 'received' : 'all'}&${query}`,
    ],
  };
}

/** Where a service has staff and does nothing, somebody has to telephone it. */
export async function tellOperatorsToo(
  trx: Trx,
  deps: Platform,
  referrals: readonly OverdueReferral[],
  { heading, query }: Reminder,
): Promise<void> {
  const at = deps.clock.now();
  const staffOf = await findStaff(
    trx,
    referrals.map(({ organizationId }) => organizationId),
    at,
  );
  const notAnswered = referrals.filter(({ organizationId }) => staffOf(organizationId).present.length > 0);
  if (notAnswered.length === 0) return;
  const operators = await listOperatorsAtWork(trx, at);
  const what = headingWithUrgency(`${heading(notAnswered.length)}, and nobody acts`, notAnswered);
  await mailPeople(trx, deps, 'reminder', {
    to: operators.map(({ email }) => email),
    subject: what,
    paragraphs: [
      `${what}.`,
      listOfReferences(notAnswered),
      'The staff of the service were reminded more than once, and have done nothing here: telephone the service.',
      `See them here:\n\n${deps.settings.baseUrl}/referrals?view=all&${query}`,
    ],
  });
}
