import { type CalendarDay, calendarDay, daysLater, localTime } from '../../platform/clock/index.ts';
import { addWorkingTime, isWorkingDay, londonDate, type WorkingDays } from '../../referrals/index.ts';

/** What people can ask about their record without an account. */
export const requestKinds = ['copy', 'correct', 'object', 'erase', 'complain'] as const;
export type RequestKind = (typeof requestKinds)[number];

/** `ask` and `hint` are on the public form, `title` is on the pages of operators. */
export const requestWords: Readonly<Record<RequestKind, { ask: string; hint: string; title: string }>> = {
  copy: {
    ask: 'Get a copy of my record',
    hint: 'Everything that is held about you',
    title: 'Copy of a record',
  },
  correct: { ask: 'Correct my record', hint: 'Something in it is wrong or missing', title: 'Correction' },
  object: {
    ask: 'Object to how my record is used or shared',
    hint: 'Or ask that it is not used for a time',
    title: 'Objection',
  },
  erase: { ask: 'Delete my record', hint: 'Sometimes the law says that it must be kept', title: 'Deletion' },
  complain: { ask: 'Complain', hint: 'About how your information was handled', title: 'Complaint' },
};

const acknowledgeWorkingDays = 3;

/**
 * When a request is to be answered: within one month, for all kinds (UK GDPR, article 12(3)). A complaint is acknowledged
 * within three working days (Local Authority Social Services and NHS Complaints Regulations 2009, regulation 13).
 */
export function dueDates(
  workingDays: WorkingDays,
  kind: RequestKind,
  at: Date,
): { dueOn: string; acknowledgeOn: string | null } {
  const acknowledgeBy = addWorkingTime(workingDays, at, { days: acknowledgeWorkingDays });
  return {
    dueOn: oneMonthLater(workingDays, localTime(at).day),
    acknowledgeOn: kind === 'complain' ? londonDate(acknowledgeBy) : null,
  };
}

/**
 * The same day of the next month, or its last day where it is shorter. At a weekend or on a bank holiday, the next working
 * day, as the Information Commissioner counts.
 */
export function oneMonthLater(workingDays: WorkingDays, { date }: CalendarDay): string {
  const [year, month, monthDay] = date.split('-').map(Number) as [number, number, number];
  // Day 0 of the month after the next is the last day of the next one; `month` counts from 1, and Date from 0.
  const lastOfNext = new Date(Date.UTC(year, month + 1, 0));
  const yearAndMonth = lastOfNext.toISOString().slice(0, 8);
  let day = calendarDay(
    `${yearAndMonth}${String(Math.min(monthDay, lastOfNext.getUTCDate())).padStart(2, '0')}`,
  )!;
  while (!isWorkingDay(workingDays, day)) day = daysLater(day, 1);
  return day.date;
}
