import { type CalendarDay, calendarDay, localTime } from '../../platform/clock/index.ts';
import { londonMomentMs } from '../model/due/working-time.ts';

/** A time as a browser's field has it, such as 2026-11-24T10:30. */
function readTime(typed: string): { day: CalendarDay; minute: number } | undefined {
  const [, date, hours, minutes] = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)/.exec(typed.trim()) ?? [];
  const day = calendarDay(date);
  return day && { day, minute: Number(hours) * 60 + Number(minutes) };
}

/**
 * The moment of a time in London.
 * @returns undefined for a time that is not on the clock, as in the hour that summer time leaves out
 */
export function momentFromField(typed: string): string | undefined {
  const time = readTime(typed);
  if (!time) return undefined;
  const at = new Date(londonMomentMs(time.day, time.minute));
  const local = localTime(at);
  return local.day.date === time.day.date && local.minute === time.minute ? at.toISOString() : undefined;
}

/** Whether it is in the hour that summer time leaves out. */
export function isSkippedTime(typed: string): boolean {
  return readTime(typed) !== undefined && momentFromField(typed) === undefined;
}
