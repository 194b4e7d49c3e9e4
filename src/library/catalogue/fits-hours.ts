import type { CalendarDay } from '../hours/calendar-day.ts';
import { dayBefore } from '../hours/calendar-day.ts';
import { isOn } from '../hours/other-hours.ts';
import { minutesADay, type Range, rangesOf } from '../hours/week.ts';
import type { Filters, WantedHours } from '../search/filters.ts';
import type { Catalogue, HoursRow } from './catalogue.ts';

/** Whether something is open when it is wanted, by the number of its week and what it is open besides. */
export type HoursTest = (week: number, others: () => readonly HoursRow[]) => boolean;

const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** Open at some time of those that are wanted, in the weeks in which it is open at all. */
export function opensIn(catalogue: Catalogue, wanted: WantedHours, today: string): HoursTest {
  const { from, to } = wanted;
  const days = wanted.days.length > 0 ? wanted.days : everyDay;
  const ranges = days.flatMap((day) => rangesOf(day, from ?? 0, to ?? minutesADay));
  // Of a day without times nobody knows whether it is open at one.
  const isTimed = from !== undefined || to !== undefined;
  const isThen = (hours: HoursRow) =>
    (!isTimed || hours.opens !== null) &&
    (hours.valid_to === null || hours.valid_to >= today) &&
    hours.ranges.some(([begin, end]) => ranges.some(([first, last]) => begin < last && first < end));
  return weekly(catalogue, ranges, isThen);
}

export function isOpenAt(catalogue: Catalogue, { day, minute }: NonNullable<Filters['openAt']>): HoursTest {
  const now = day.weekday * minutesADay + minute;
  const yesterday: CalendarDay = dayBefore(day);
  const isThen = (hours: HoursRow) => {
    const { opens, closes } = hours;
    if (opens === null || closes === null) return false;
    const today = opens <= minute && closes > minute && isOn(hours, day);
    return today || (closes > minute + minutesADay && isOn(hours, yesterday));
  };
  return weekly(catalogue, [[now, now + 1]], isThen);
}

/** Each of the weeks is looked at once, however many services share it. */
function weekly(
  { weeks, hours }: Catalogue,
  ranges: readonly Range[],
  isThen: (hours: HoursRow) => boolean,
): HoursTest {
  const isOpen = new Uint8Array(weeks.count);
  const hasOthers = hours.size > 0;
  return (week, others) => {
    if (isOpen[week] === unknown) isOpen[week] = weeks.overlaps(week, ranges) ? open : closed;
    return isOpen[week] === open || (hasOthers && others().some(isThen));
  };
}

const unknown = 0;
const open = 1;
const closed = 2;
