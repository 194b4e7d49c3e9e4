import type { Actor } from '../../audit/index.ts';
import { isCalendarDay, localTime } from '../../platform/clock/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import type { StoredAccount } from '../model/accounts-store.ts';
import { type AccountRef, changeAccount } from '../model/change-account.ts';
import {
  deleteLeave,
  findLeave,
  isOnLeaveBetween,
  type Leave,
  listPossibleStandIns,
  saveLeave,
  wouldBeUnstaffed,
} from '../model/leaves-store.ts';
import { requireTargetIsPerson } from '../model/problems.ts';
import { mailOperators, tellHolder } from '../model/security-emails.ts';

/** The fields of a leave, as its forms name them. */
export type NewLeave = {
  firstDay: string | undefined;
  lastDay: string | undefined;
  /** An account's id, `nobody`, or empty where nothing was chosen. */
  standIn: string;
  /** True: replaces the leave already set for other days. */
  replaces?: boolean;
};

/**
 * Sets from when to when somebody is on leave, and who stands in: what would be mailed to them about referrals goes to that
 * person. One leave is kept: a new one changes it, or replaces it once the form says so.
 * @throws Problem `unprocessable`, `no-such-account`, `not-for-systems`.
 */
export async function setLeave(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  newLeave: NewLeave,
  reason?: string,
): Promise<void> {
  const at = deps.clock.now();
  await changeAccount(deps, actor, ref, {
    action: 'account.leave_set',
    details: { first_day: newLeave.firstDay, last_day: newLeave.lastDay, reason },
    async make(trx, account) {
      requireTargetIsPerson(account);
      const people = await listPossibleStandIns(trx, account.id);
      const leave = await validateLeave(trx, newLeave, people, at);
      const before = await findLeave(trx, account.id, at);
      if (before && !newLeave.replaces && isAnotherLeave(before, leave, at)) throw oneLeaveProblem(before);
      await saveLeave(trx, account.id, leave, { name: actor.name, at });
      await addJobs(trx, 'update-prompts', [{}]);
      const standIn = people.find(({ id }) => id === leave.standInId);
      const isAlone = await wouldBeUnstaffed(trx, account.id, leave);
      if (isAlone || newLeave.standIn === nobody) await tellOperators(trx, deps, account, leave, isAlone);
      if (standIn) await tellStandIn(trx, deps, account, standIn, leave);
      await tellHolderUnlessOwnChange(trx, deps, actor, account, [
        `On leave: ${daysInWords(leave)}`,
        `Standing in: ${standIn?.name ?? 'nobody'}`,
      ]);
      return { changed: true, details: { stand_in: leave.standInId, nobody_left: isAlone } };
    },
  });
}

/** Ends a leave early, or cancels it. @throws Problem `no-such-account`. */
export async function endLeave(
  deps: Platform,
  actor: Actor,
  ref: AccountRef,
  reason?: string,
): Promise<void> {
  await changeAccount(deps, actor, ref, {
    action: 'account.leave_ended',
    details: { reason },
    async make(trx, account) {
      if (!(await deleteLeave(trx, account.id))) return { changed: false };
      await addJobs(trx, 'update-prompts', [{}]);
      await tellHolderUnlessOwnChange(trx, deps, actor, account, ['Your leave has ended.']);
      return { changed: true };
    },
  });
}

/** Whether these are the days of a second leave. Saved as a change, it would silently end the first. */
function isAnotherLeave(before: Leave, { firstDay, lastDay }: Leave, now: Date): boolean {
  const today = localTime(now).day.date;
  const overlaps = firstDay <= before.lastDay && before.firstDay <= lastDay;
  const endsPresentOne = before.firstDay <= today && firstDay > today;
  return !overlaps || endsPresentOne;
}

function oneLeaveProblem(before: Leave): Problem {
  const message = `Leave from ${daysInWords(before)} is set already, and only one is kept. Say whether this one replaces it`;
  const errors = [{ pointer: '/replace', message, code: 'another-leave' }];
  return new Problem(unprocessable, 'The leave was not saved.', { errors });
}

const maxLeaveDays = 366;

/** The choice of somebody whose colleagues cannot stand in: the operators are told then. */
const nobody = 'nobody';

/** @throws Problem `unprocessable` */
async function validateLeave(
  trx: Trx,
  { firstDay = '', lastDay = '', standIn }: NewLeave,
  people: readonly { id: string }[],
  now: Date,
): Promise<Leave> {
  const errors: FieldError[] = [];
  if (firstDay === '') errors.push({ pointer: '/first_day', message: 'Enter the first day of leave' });
  else if (!isCalendarDay(firstDay))
    errors.push({ pointer: '/first_day', message: 'must be a real date, like 21 12 2026' });
  if (lastDay === '') errors.push({ pointer: '/last_day', message: 'Enter the last day of leave' });
  else if (!isCalendarDay(lastDay))
    errors.push({ pointer: '/last_day', message: 'must be a real date, like 4 1 2027' });
  else if (lastDay < localTime(now).day.date)
    errors.push({ pointer: '/last_day', message: 'must be today or later' });
  else if (isCalendarDay(firstDay) && lastDay < firstDay)
    errors.push({ pointer: '/last_day', message: 'must not be before the first day' });
  else if (isCalendarDay(firstDay) && Date.parse(lastDay) - Date.parse(firstDay) > maxLeaveDays * dayMs)
    errors.push({ pointer: '/last_day', message: 'must be within a year of the first day' });
  const isPossible = people.some(({ id }) => id === standIn);
  if (people.length > 0 && !isPossible && standIn !== nobody)
    errors.push({ pointer: '/stand_in', message: 'Select who stands in' });
  const leave = { firstDay, lastDay, standInId: isPossible ? standIn : null };
  if (errors.length === 0 && isPossible && (await isOnLeaveBetween(trx, standIn, leave))) {
    // If everybody is away then, no choice would be accepted: the leave is stored without a stand-in.
    if (await areAllOnLeave(trx, people, leave)) return { ...leave, standInId: null };
    errors.push({ pointer: '/stand_in', message: 'Select somebody who is not on leave then too' });
  }
  if (errors.length > 0) throw new Problem(unprocessable, 'The leave was not saved.', { errors });
  return leave;
}

async function areAllOnLeave(trx: Trx, people: readonly { id: string }[], leave: Leave): Promise<boolean> {
  for (const { id } of people) if (!(await isOnLeaveBetween(trx, id, leave))) return false;
  return true;
}

function daysInWords({ firstDay, lastDay }: Leave): string {
  return `${dayInWords(firstDay)} to ${dayInWords(lastDay)}`;
}

/** The stand-in gets what the other would get, so they must know why. */
async function tellStandIn(
  trx: Trx,
  deps: Platform,
  { name }: StoredAccount,
  standIn: { name: string; email: string },
  leave: Leave,
): Promise<void> {
  const paragraphs = [
    `Hello ${standIn.name},`,
    `You stand in for ${name} from ${daysInWords(leave)}.`,
    'On these days we email you about their referrals that need attention.',
    `See the referrals here:\n\n${deps.settings.baseUrl}/referrals`,
    `If that is wrong, talk to ${name}, or ask ${contactOf(deps.settings)}.`,
  ];
  await mailPeople(trx, deps, 'site', {
    to: [standIn.email],
    subject: 'You stand in for a colleague',
    paragraphs,
  });
}

/** Tells operators in advance: they get the emails of days on which nobody there is at work. Or it says that nobody stands in. */
async function tellOperators(
  trx: Trx,
  deps: Platform,
  { id, name }: StoredAccount,
  leave: Leave,
  isAlone: boolean,
): Promise<void> {
  const day = `${name} is on leave from ${daysInWords(leave)}.`;
  const seeAccount = `See the account:\n\n${deps.settings.baseUrl}/operator/accounts/${id}`;
  if (!isAlone) {
    await mailOperators(trx, deps, 'site', {
      subject: 'Nobody stands in for somebody on leave',
      paragraphs: [
        `${day} ${name} has colleagues here, and said that none of them stands in.`,
        'If one of the colleagues is away too, have them enter their leave, so that emails about urgent referrals reach you.',
        seeAccount,
      ],
    });
    return;
  }
  await mailOperators(trx, deps, 'site', {
    subject: 'Nobody will be at work at an organisation',
    paragraphs: [
      `${day} On at least one of these days nobody else of the organisation is here who makes or answers referrals as ${name} does.`,
      'Until they are back we email you about their urgent referrals that nobody has opened, and about what is overdue or unread. Telephone the organisation today, and ask who looks after the people who were referred.',
      seeAccount,
    ],
  });
}

async function tellHolderUnlessOwnChange(
  trx: Trx,
  deps: Platform,
  actor: Actor,
  account: StoredAccount,
  lines: readonly string[],
): Promise<void> {
  if (actor.id === account.id) return;
  await tellHolder(trx, deps, account, 'Your leave was changed', {
    details: lines,
    ifWrong: `If it is wrong, change it at ${deps.settings.baseUrl}/account/leave, or ask ${contactOf(deps.settings)}.`,
  });
}
