import { type DaysOfLeave, isOnLeave } from '../accounts/index.ts';
import { dayNames } from '../library/index.ts';
import { calendarDay, daysLater, localTime } from '../platform/clock/index.ts';
import { dayMs, hourMs } from '../platform/durations.ts';
import { dayInWords } from '../platform/html/index.ts';
import { isWorkingDay, type WorkingDays } from '../referrals/index.ts';

/** What somebody says when they refer themselves. No NHS number is taken, and no birth date: staff ask when they ring. */
export type SelfReferralDetails = {
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
  /** The day by which somebody rings, such as 2026-11-30. */
  ringBy: string;
  details: SelfReferralDetails;
  mentionsCrisis: boolean;
  state: 'waiting' | 'taken' | 'drafted' | 'closed';
  takenById: string | null;
  calls: Call[];
  settledAt: Date | null;
  closeReason: CloseReason | null;
  closeNote: string | null;
  /** The id of the one that stays, if this was closed as a copy. */
  sameAsId: string | null;
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
/** Calls that are nearer together count once: somebody who is out now will usually still be out a minute later. */
const minBetweenAttemptsMs = 2 * hourMs;

/** How many times staff tried, of calls in the order in which they were made. */
export function countAttempts(calls: readonly Call[]): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const at of calls.map((call) => Date.parse(call.at))) {
    if (at - last < minBetweenAttemptsMs) continue;
    count += 1;
    last = at;
  }
  return count;
}

/** Whether somebody has spoken to the person since they sent it. Later calls about another self-referral of theirs count too. */
export function wasSpokenTo({ receivedAt, calls }: SelfReferral, other?: SelfReferral): boolean {
  const laterCalls = other?.calls.filter(({ at }) => Date.parse(at) >= receivedAt.getTime()) ?? [];
  return [...calls, ...laterCalls].some(({ reached }) => reached);
}

/** The reasons for which a self-referral may be closed although nobody has rung. */
export const reasonsWithoutCall: readonly CloseReason[] = ['sent-twice', 'not-genuine'];

/** Who answers people who refer themselves. */
export type Desk = {
  /** Whether an operator has switched it on. Whether people can refer themselves now depends on more: see `deskState`. */
  isOn: boolean;
  owner: DeskPerson;
  deputy: DeskPerson;
  /** The days on which the owner works; 0 is Monday. */
  weekdays: number[];
  /** When an email said that self-referral has closed by itself; null while it is open. */
  toldClosedAt: Date | null;
  /** How many self-referrals are not settled. */
  unsettledCount: number;
  /** When the person who has waited longest for a call sent their self-referral. */
  oldestReceivedAt: Date | null;
  /** How many wrote words of a crisis, and nobody has spoken to them. */
  crisisCount: number;
};

/** `canAnswer`: the account can sign in and makes referrals. `leave`: the present leave, else the next, else the last. */
export type DeskPerson = {
  id: string;
  name: string;
  email: string;
  canAnswer: boolean;
  leave: DaysOfLeave | null;
};

export type DeskState = 'open' | 'off' | 'understaffed' | 'on-leave' | 'waited-too-long' | 'full';

/** Once somebody has waited longer than this for a call, nobody else can refer themselves until they are rung. */
export const maxWaitDays = 5;
const maxWaitMs = maxWaitDays * dayMs;
/** While this many are not settled, nobody else can refer themselves: the link workers could not ring more people in time. */
export const maxUnsettled = 100;

export const maxCrisisWaitHours = 4;
const maxCrisisWaitMs = maxCrisisWaitHours * hourMs;

/**
 * When a self-referral that is not settled is overdue: nobody has rung, and `ringBy` is before `today`; the last call was before
 * `calledBefore`; or nobody has spoken to somebody in a crisis, or rung them, since `crisisBefore`.
 */
export type OverdueSince = { today: string; calledBefore: Date; crisisBefore: Date };

export function overdueSince(now: Date): OverdueSince {
  return {
    today: localTime(now).day.date,
    calledBefore: new Date(now.getTime() - maxWaitMs),
    crisisBefore: new Date(now.getTime() - maxCrisisWaitMs),
  };
}

/** What the days on which somebody rings depend on. */
type RingingDays = Pick<Desk, 'weekdays'> & Record<'owner' | 'deputy', Pick<DeskPerson, 'leave'>>;

/** Whether people can refer themselves now. It closes by itself if nobody would ring them in time. */
export function deskState(desk: Desk | undefined, workingDays: WorkingDays, now: Date): DeskState {
  if (!desk?.isOn) return 'off';
  if (!desk.owner.canAnswer || !desk.deputy.canAnswer) return 'understaffed';
  if (areBothOnLeave(desk, localTime(now).day.date) || isDelayedByLeave(desk, workingDays, now))
    return 'on-leave';
  if (desk.oldestReceivedAt && now.getTime() - desk.oldestReceivedAt.getTime() > maxWaitMs)
    return 'waited-too-long';
  return desk.unsettledCount >= maxUnsettled ? 'full' : 'open';
}

/** Whether the owner or the deputy can sign in and is not on leave. */
export function isSomebodyAtWork({ owner, deputy }: Desk, now: Date): boolean {
  const { day } = localTime(now);
  return [owner, deputy].some((each) => each.canAnswer && !isOnLeave(each, day.date));
}

const areBothOnLeave = ({ owner, deputy }: RingingDays, date: string): boolean =>
  isOnLeave(owner, date) && isOnLeave(deputy, date);

/** Whether leave would make a person who sends it now wait more than `maxWaitDays` longer than usual. */
function isDelayedByLeave(desk: RingingDays, workingDays: WorkingDays, now: Date): boolean {
  const atWork = { leave: null };
  const usual = dayToRingBy(workingDays, { ...desk, owner: atWork, deputy: atWork }, now);
  return Date.parse(dayToRingBy(workingDays, desk, now)) - Date.parse(usual) > maxWaitMs;
}

/** Somebody rings within this many days on which the owner works. */
const ringWithinDays = 2;

/** The day by which somebody rings a person who refers themselves now. Today does not count, nor a day on which both are on leave. */
export function dayToRingBy(workingDays: WorkingDays, desk: RingingDays, now: Date): string {
  let { day } = localTime(now);
  for (let left = ringWithinDays; left > 0; ) {
    day = daysLater(day, 1);
    const isStaffed = desk.weekdays.includes(day.weekday) && !areBothOnLeave(desk, day.date);
    if (isStaffed && isWorkingDay(workingDays, day)) left -= 1;
  }
  return day.date;
}

/** “Tuesday 1 December 2026”: people think in days of the week. */
export function ringDayInWords(date: string): string {
  return `${dayNames[calendarDay(date)!.weekday]} ${dayInWords(date)}`;
}

/** The owner and the deputy see everything, so that nobody waits for a colleague who is away. */
export function isOwnerOrDeputy(desk: Desk | undefined, accountId: string): boolean {
  return desk !== undefined && [desk.owner.id, desk.deputy.id].includes(accountId);
}
