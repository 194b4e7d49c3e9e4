/** Days and times as they are stored: minutes since Monday 00:00, in ranges that PostgreSQL compares. */

export const dayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export const dayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export const minutesPerDay = 1440;
const minutesPerWeek = 7 * minutesPerDay;

/** From a minute of the week until just before another. */
export type Range = readonly [from: number, to: number];

/** A time on a weekday (0 is Monday) as ranges of the week: two if it goes on from Sunday to Monday. */
export function weekRanges(weekday: number, opens: number, closes: number): Range[] {
  const from = weekday * minutesPerDay + opens;
  const to = weekday * minutesPerDay + closes;
  if (to <= minutesPerWeek) return [[from, to]];
  return [
    [from, minutesPerWeek],
    [0, to - minutesPerWeek],
  ];
}

/** Ranges as PostgreSQL's `int4multirange`. */
export function multirange(ranges: readonly Range[]): string {
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
}

/** `MO`, or other forms that directories write: “Mon”, “Monday”, “Tues”. */
const dayName =
  '(?:MO(?:N(?:DAYS?)?)?|TU(?:E(?:S(?:DAYS?)?)?)?|WE(?:D(?:NESDAYS?)?)?|TH(?:U(?:R(?:S(?:DAYS?)?)?)?)?' +
  '|FR(?:I(?:DAYS?)?)?|SA(?:T(?:URDAYS?)?)?|SU(?:N(?:DAYS?)?)?)(?![A-Z])';
const ordinal = '(?<![A-Z\\d])([+-]?\\d{1,2})?';
const daysPattern = new RegExp(`${ordinal}(${dayName})(?:\\s*(?:-|–|—|TO)\\s*(${dayName}))?`, 'g');

/** Far more than any schedule has: a limit against huge input, which would block the process. */
const maxDays = 500;
const maxLength = 5000;

/**
 * The days of a `byday`, each once, as RFC 5545 writes them: `MO`, `-1FR`. Only whole words count, so “Saturday” contains no
 * Tuesday. A range such as “Mon to Fri” becomes all its days.
 */
export function bydayCodes(byday: string | undefined): string[] {
  const codes = new Set<string>();
  for (const [, nth, first = '', last] of (byday ?? '')
    .slice(0, maxLength)
    .toUpperCase()
    .matchAll(daysPattern)) {
    const which = nth === undefined ? '' : String(Number(nth));
    for (const code of rangeOf(first, last)) codes.add(`${which}${code}`);
    if (codes.size >= maxDays) break;
  }
  return [...codes].slice(0, maxDays);
}

function rangeOf(first: string, last: string | undefined): string[] {
  const from = indexOf(first);
  const count = last === undefined ? 0 : (indexOf(last) - from + 7) % 7;
  return Array.from({ length: count + 1 }, (_, ahead) => dayCodes[(from + ahead) % 7]!);
}

function indexOf(day: string): number {
  return dayCodes.indexOf(day.slice(0, 2) as 'MO');
}
