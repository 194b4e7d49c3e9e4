import { dayNames } from '../library/index.ts';
import { calendarDay, daysLater, localTime } from '../platform/clock/index.ts';
import { dayMs } from '../platform/durations.ts';
import { dayInWords } from '../platform/html/index.ts';
import { isNhsNumber, isWorkingDay, type WorkingDays } from '../referrals/index.ts';

/** What somebody says when they refer themselves. No NHS number is taken, and no birth date: staff ask when they ring. */
export type SaidByPerson = {
  given_name: string;
  family_name: string;
  telephone: string;
  safe: 'yes' | 'only_at';
  /** When it is safe to ring, with `only_at`. */
  only_at?: string;
  /** Whether staff may leave a message. */
  voicemail: boolean;
  postcode?: string;
  about?: string;
};

export type Call = { at: string; by: string; reached: boolean; note: string };

export type SelfReferral = {
  id: string;
  serviceId: string;
  receivedAt: Date;
  /** A day, such as 2026-11-30. */
  answerBy: string;
  said: SaidByPerson;
  mentionsCrisis: boolean;
  state: 'waiting' | 'taken' | 'drafted' | 'closed';
  takenById: string | null;
  calls: Call[];
  settledAt: Date | null;
  closeReason: CloseReason | null;
  closeNote: string | null;
  referralId: string | null;
};

export const closeReasons = {
  'helped-by-call': 'The call was enough, or they were told where to get help',
  'no-longer-wanted': 'They no longer want this',
  'not-suitable': 'No service here suits them, and they know it',
  'not-reached': 'We rang several times and did not reach them',
  'sent-twice': 'It came twice',
  'not-genuine': 'It was not sent by somebody who wants help',
} as const;
export type CloseReason = keyof typeof closeReasons;

/** How often staff ring before they may give up. */
export const callsBeforeGivingUp = 3;
/** With these nobody has to ring. */
export const reasonsWithoutCall: readonly CloseReason[] = ['sent-twice', 'not-genuine'];

/** Who answers people who refer themselves. */
export type Desk = {
  /** Whether an operator opened it. */
  isOpen: boolean;
  owner: DeskPerson;
  deputy: DeskPerson;
  /** The days on which the owner works; 0 is Monday. */
  weekdays: number[];
  toldClosedAt: Date | null;
  /** How many people are not settled yet. */
  openCount: number;
  /** When the person who has waited longest for a call sent their self-referral. */
  oldestSince: Date | null;
};

/** `canAnswer`: the account can sign in and makes referrals. */
export type DeskPerson = { id: string; name: string; email: string; canAnswer: boolean };

export type DeskState = 'open' | 'off' | 'unattended' | 'overdue' | 'full';

const maxWaitMs = 5 * dayMs;
/** More than a few people can ring within days. */
export const maxOpen = 100;

/** An open self-referral whose last call was before this has waited too long. */
export function calledTooLongAgo(now: Date): Date {
  return new Date(now.getTime() - maxWaitMs);
}

/** Whether people can refer themselves now. It closes by itself where they would wait for a call that does not come. */
export function deskState(desk: Desk | undefined, now: Date): DeskState {
  if (!desk?.isOpen) return 'off';
  if (!desk.owner.canAnswer || !desk.deputy.canAnswer) return 'unattended';
  if (desk.oldestSince && now.getTime() - desk.oldestSince.getTime() > maxWaitMs) return 'overdue';
  return desk.openCount >= maxOpen ? 'full' : 'open';
}

/** Somebody rings within this many days on which the owner works. */
const answerWithinDays = 2;

/** The day by which somebody rings a person who sends it now: today does not count. */
export function answerBy(workingDays: WorkingDays, weekdays: readonly number[], now: Date): string {
  let { day } = localTime(now);
  for (let left = answerWithinDays; left > 0; ) {
    day = daysLater(day, 1);
    if (isWorkingDay(workingDays, day) && weekdays.includes(day.weekday)) left -= 1;
  }
  return day.date;
}

/** “Tuesday 1 December 2026”: people think in days of the week. */
export function answerDayInWords(date: string): string {
  return `${dayNames[calendarDay(date)!.weekday]} ${dayInWords(date)}`;
}

/** Ten digits, alone or in groups. None begins with 0, as telephone numbers do. */
const tenDigits = /(?<!\d)[1-9](?:[ -]?\d){9}(?!\d)/g;

export function hasNhsNumber(text: string): boolean {
  return (text.match(tenDigits) ?? []).some((found) => isNhsNumber(found.replaceAll(/[ -]/g, '')));
}

/** The owner and the deputy see everything, so that nobody waits for a colleague who is away. */
export function isOwnerOrDeputy(desk: Desk | undefined, accountId: string): boolean {
  return desk !== undefined && [desk.owner.id, desk.deputy.id].includes(accountId);
}
