import {
  type CalendarDay,
  type DayInMonth,
  dayInMonth,
  dayNumber,
  daysLater,
  modulo,
} from '../../platform/clock/index.ts';

/** Hours that do not hold every week: in some weeks, on days of the month, in a season, or without times. A row of `service_hours`. */
export type OtherHours = {
  /** The minutes of the week that they take, as a PostgreSQL multirange; empty if they are not of a weekday. */
  during: string;
  opens: number | null;
  closes: number | null;
  monthly: boolean;
  weekday: number | null;
  nth: number | null;
  month_day: number | null;
  /** The interval: 2 for every second week, or every second month if `monthly`. */
  every: number;
  /** Which weeks or months: their number, modulo `every`. */
  remainder: number | null;
  valid_from: string | null;
  valid_to: string | null;
};

/** Whether the hours apply on a day. */
export function occursOn(
  hours: Recurrence & Pick<OtherHours, 'valid_from' | 'valid_to'>,
  day: CalendarDay,
): boolean {
  const { valid_from, valid_to } = hours;
  const isWithinDates =
    (valid_from === null || valid_from <= day.date) && (valid_to === null || valid_to >= day.date);
  return isWithinDates && matchesRule(hours, day);
}

export type Recurrence = Omit<OtherHours, 'during' | 'opens' | 'closes' | 'valid_from' | 'valid_to'>;

/** Whether the rule of the hours has the day, ignoring their first and last day. */
function matchesRule(hours: Recurrence, day: DayInMonth): boolean {
  const { weekday, nth, month_day, every, remainder, monthly } = hours;
  return (
    (weekday === null || weekday === day.weekday) &&
    (nth === null || nth === day.nth || nth === day.nthFromEnd) &&
    (month_day === null || month_day === day.monthDay || month_day === day.monthDayFromEnd) &&
    (every === 1 || remainder === modulo(monthly ? day.month : day.week, every))
  );
}

/** Days in which the last occurrence is searched. Events with a count are courses, and none needs an end beyond two years. */
const maxDays = 2 * 366;

/** The date (such as 2026-11-21) of the last occurrence of a recurring event with a `count`. */
export function lastOccurrence(
  days: readonly Recurrence[],
  start: CalendarDay,
  count: number,
): string | undefined {
  if (days.length === 0 || count < 1 || count > maxDays) return undefined;
  const first = dayNumber(start.date);
  let left = count;
  for (let ahead = 0; ahead < maxDays; ahead++) {
    const day = dayInMonth(first + ahead);
    if (days.some((each) => matchesRule(each, day))) left -= 1;
    if (left <= 0) return daysLater(start, ahead).date;
  }
  return undefined;
}
