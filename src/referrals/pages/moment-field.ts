import { calendarDay, localTime } from '../../platform/clock/index.ts';
import { londonMomentMs } from '../model/due/working-time.ts';

/**
 * A time as a browser's field has it, such as 2026-11-24T10:30 in London.
 * @returns undefined for a time that is not on the clock, as in the hour that summer time leaves out
 */
export function momentFromField(typed: string): string | undefined {
  const [, date, hours, minutes] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(typed.trim()) ?? [];
  const day = calendarDay(date);
  if (!day) return undefined;
  const minute = Number(hours) * 60 + Number(minutes);
  const at = new Date(londonMomentMs(day, minute));
  const local = localTime(at);
  return local.day.date === date && local.minute === minute ? at.toISOString() : undefined;
}

/** Whether it is in the hour that summer time leaves out. */
export function isSkippedTime(typed: string): boolean {
  const time = /^\d{4}-\d\d-\d\dT(\d\d:\d\d)/.exec(typed.trim())?.[1];
  const isTime = time !== undefined && /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
  return (
    isTime && calendarDay(typed.trim().slice(0, 10)) !== undefined && momentFromField(typed) === undefined
  );
}
