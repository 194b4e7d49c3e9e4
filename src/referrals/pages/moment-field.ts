import { calendarDay } from '../../platform/clock/index.ts';
import { londonMomentMs } from '../model/due/working-time.ts';

/** A time as a browser's field has it, such as 2026-11-24T10:30 in London. */
export function momentFromField(typed: string): string | undefined {
  const [, date, hour, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(typed.trim()) ?? [];
  const day = calendarDay(date);
  return day && new Date(londonMomentMs(day, Number(hour) * 60 + Number(minute))).toISOString();
}
