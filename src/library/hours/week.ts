/** Days and times as they are stored: minutes since Monday's first, in ranges that PostgreSQL compares. */

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

export const minutesADay = 1440;
const minutesAWeek = 7 * minutesADay;

/** From a minute of the week until before another one. */
export type Range = readonly [from: number, to: number];

/** A time of a weekday (0 is Monday) as ranges of the week: two where it goes on from Sunday to Monday. */
export function rangesOf(weekday: number, opens: number, closes: number): Range[] {
  const from = weekday * minutesADay + opens;
  const to = weekday * minutesADay + closes;
  if (to <= minutesAWeek) return [[from, to]];
  return [
    [from, minutesAWeek],
    [0, to - minutesAWeek],
  ];
}

/** Ranges as PostgreSQL's `int4multirange`. */
export function multirange(ranges: readonly Range[]): string {
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
}

/** `9:30`, `09:30` or `09:30:00Z` as a minute of the day. Whatever its time zone, it is the time on the clock there. */
export function minuteOf(time: string | undefined): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-4]):([0-5]\d)/.exec(time ?? '') ?? [];
  if (hours === undefined) return undefined;
  return Math.min(Number(hours) * 60 + Number(minutes), minutesADay);
}
