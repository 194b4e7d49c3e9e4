import Format from 'typebox/format';

export {
  type CalendarDay,
  calendarDay,
  type DayInMonth,
  dayBefore,
  dayInMonth,
  dayNumber,
  daysLater,
  isCalendarDay,
  localTime,
  modulo,
} from './calendar-day.ts';

/** Where everything in Onward gets the time: the database's clock, which all processes of a site share. */
export type Clock = { now(): Date };

/** By how many milliseconds this machine's clock is ahead of the site's. */
export function machineSkewMs(clock: Clock): number {
  return Date.now() - clock.now().getTime();
}

/**
 * Parses a moment as feeds and client systems write it. Without an offset it is in UTC, seconds may be missing, and a day
 * alone is its beginning. Undefined for other text.
 */
export function momentOf(text: string): Date | undefined {
  const moment = text.replace(' ', 'T');
  const whole = Format.IsDate(moment) ? `${moment}T00:00:00Z` : moment;
  const timed = whole.replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/i, '$1:00');
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(timed) ? timed : `${timed}Z`;
  if (!Format.IsDateTime(zoned)) return undefined;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
