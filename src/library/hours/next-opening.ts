import { type CalendarDay, daysLater } from '../../platform/clock/index.ts';
import type { OpeningHours } from './opening-hours.ts';
import { occursOn } from './other-hours.ts';
import { minutesPerDay } from './week.ts';

/** An opening in minutes of the day, past 1440 if it goes on after midnight; null if no time is given. */
export type Opening = { day: CalendarDay; daysAhead: number; opens: number | null; closes: number | null };

/** Days that are searched for an opening: enough for monthly ones, even on the fifth Friday of a month. */
const maxDaysAhead = 92;

/** When somebody could go: days of the week and minutes of the day. Anything left out means any. */
export type WantedTimes = { weekdays?: readonly number[]; from?: number; to?: number };

/** The current or the next opening at a wanted time; undefined if there is none in the next three months. */
export function nextOpening(
  hours: OpeningHours,
  now: { day: CalendarDay; minute: number },
  { weekdays = [], from = 0, to = Number.POSITIVE_INFINITY }: WantedTimes = {},
): Opening | undefined {
  // An opening that began yesterday may go on past midnight.
  for (let daysAhead = -1; daysAhead <= maxDaysAhead; daysAhead++) {
    const day = daysLater(now.day, daysAhead);
    if (weekdays.length > 0 && !weekdays.includes(day.weekday)) continue;
    const [first] = timesOn(hours, day)
      .filter(({ closes }) => isUpcoming(closes, daysAhead, now.minute))
      // Without opening times it may be open at any time.
      .filter(({ opens, closes }) => opens === null || (opens < to && closes! > from))
      .toSorted((one, other) => (one.opens ?? minutesPerDay) - (other.opens ?? minutesPerDay));
    if (first) return { day, daysAhead, ...first };
  }
  return undefined;
}

type Times = Pick<Opening, 'opens' | 'closes'>;

function isUpcoming(closes: number | null, daysAhead: number, minute: number): boolean {
  return closes === null ? daysAhead >= 0 : daysAhead * minutesPerDay + closes > minute;
}

function timesOn({ week, others }: OpeningHours, day: CalendarDay): Times[] {
  const midnight = day.weekday * minutesPerDay;
  const weekly = week
    .filter(([from]) => Math.floor(from / minutesPerDay) === day.weekday)
    .map(([from, to]) => ({ opens: from - midnight, closes: to - midnight }));
  return [...weekly, ...others.filter((each) => occursOn(each, day))];
}
