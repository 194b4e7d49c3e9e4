import { type CalendarDay, daysLater } from './calendar-day.ts';
import type { OpeningHours } from './opening-hours.ts';
import { occursOn } from './other-hours.ts';
import { minutesPerDay } from './week.ts';

/** A time at which something is open: minutes of a day, past 1440 where it goes on after midnight; null is not said. */
export type Opening = { day: CalendarDay; daysAhead: number; opens: number | null; closes: number | null };

/** Monthly things are found, and the fifth Friday of a month too. */
const farthestDays = 92;

/** The days of the week and the minutes of the day that somebody could go; what is left out is any. */
export type WantedTimes = { weekdays?: readonly number[]; from?: number; to?: number };

/**
 * The time at which it is open now, or will be next, that is one of those wanted; none where nothing is known of the
 * next three months.
 */
export function nextOpening(
  hours: OpeningHours,
  now: { day: CalendarDay; minute: number },
  { weekdays = [], from = 0, to = Number.POSITIVE_INFINITY }: WantedTimes = {},
): Opening | undefined {
  // Yesterday's evening may go on past midnight.
  for (let daysAhead = -1; daysAhead <= farthestDays; daysAhead++) {
    const day = daysLater(now.day, daysAhead);
    if (weekdays.length > 0 && !weekdays.includes(day.weekday)) continue;
    const [first] = timesOn(hours, day)
      .filter(({ closes }) => isToCome(closes, daysAhead, now.minute))
      // What does not say its hours may be open at any.
      .filter(({ opens, closes }) => opens === null || (opens < to && closes! > from))
      .toSorted((one, other) => (one.opens ?? minutesPerDay) - (other.opens ?? minutesPerDay));
    if (first) return { day, daysAhead, ...first };
  }
  return undefined;
}

type Times = Pick<Opening, 'opens' | 'closes'>;

function isToCome(closes: number | null, daysAhead: number, minute: number): boolean {
  return closes === null ? daysAhead >= 0 : daysAhead * minutesPerDay + closes > minute;
}

function timesOn({ week, others }: OpeningHours, day: CalendarDay): Times[] {
  const midnight = day.weekday * minutesPerDay;
  const weekly = week
    .filter(([from]) => Math.floor(from / minutesPerDay) === day.weekday)
    .map(([from, to]) => ({ opens: from - midnight, closes: to - midnight }));
  return [...weekly, ...others.filter((each) => occursOn(each, day))];
}
