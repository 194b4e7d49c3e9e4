import { type CalendarDay, daysLater, inMonth, numberOf } from './calendar-day.ts';
import { type Recurrence, recursOn } from './other-hours.ts';

/** What is counted is a course; of one that goes on for longer than two years nobody need know the end. */
const longestDays = 2 * 366;

/** The day on which something happens for the last time that begins on a day and happens so many times; such as 2026-11-21. */
export function lastOfCount(
  days: readonly Recurrence[],
  start: CalendarDay,
  count: number,
): string | undefined {
  if (days.length === 0 || count < 1 || count > longestDays) return undefined;
  const first = numberOf(start.date);
  let left = count;
  for (let ahead = 0; ahead < longestDays; ahead++) {
    const day = inMonth(first + ahead);
    if (days.some((each) => recursOn(each, day))) left -= 1;
    if (left <= 0) return daysLater(start, ahead).date;
  }
  return undefined;
}
