import { type CalendarDay, daysLater } from './calendar-day.ts';
import { isOn, type OtherHours } from './other-hours.ts';

/** What is counted is a course; of one that goes on for longer than two years nobody need know the end. */
const longestDays = 2 * 366;

/** The day on which something happens for the last time that begins on a day and happens so many times; such as 2026-11-21. */
export function lastOfCount(
  days: readonly Omit<OtherHours, 'during' | 'opens' | 'closes' | 'valid_from' | 'valid_to'>[],
  start: CalendarDay,
  count: number,
): string | undefined {
  if (days.length === 0 || count < 1 || count > longestDays) return undefined;
  let [day, left] = [start, count];
  for (let ahead = 0; ahead < longestDays; ahead++, day = daysLater(day, 1)) {
    const here = day;
    if (days.some((each) => isOn({ ...each, valid_from: null, valid_to: null }, here))) left -= 1;
    if (left <= 0) return here.date;
  }
  return undefined;
}
