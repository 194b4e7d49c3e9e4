import { type CalendarDay, daysLater, localTime } from '../../../platform/clock/index.ts';
import { dayMs, minuteMs } from '../../../platform/durations.ts';
import type { Settings } from '../../../platform/settings/index.ts';

/** What working time depends on besides the calendar. */
export type WorkingDays = Pick<Settings, 'extraBankHolidays'>;

/** Minutes after midnight. */
const opensAt = 9 * 60;
const closesAt = 17 * 60;
const dayMinutes = closesAt - opensAt;

/**
 * When this much working time has passed: Monday to Friday, 9 to 5 in London, without England's bank holidays and those that
 * the settings add. A working day is eight hours, so one from Tuesday 2 pm ends on Wednesday 2 pm, and one from Saturday ends on
 * Monday 5 pm.
 */
export function addWorkingTime(
  workingDays: WorkingDays,
  at: Date,
  { days = 0, hours = 0 }: { days?: number; hours?: number },
): Date {
  let leftMs = (days * dayMinutes + hours * 60) * minuteMs;
  let { day } = localTime(at);
  if (isWorkingDay(workingDays, day)) {
    const startMs = Math.max(at.getTime(), londonMomentMs(day, opensAt));
    const openMs = Math.max(0, londonMomentMs(day, closesAt) - startMs);
    if (leftMs <= openMs) return new Date(startMs + leftMs);
    leftMs -= openMs;
  }
  for (;;) {
    day = daysLater(day, 1);
    if (!isWorkingDay(workingDays, day)) continue;
    if (leftMs <= dayMinutes * minuteMs) return new Date(londonMomentMs(day, opensAt) + leftMs);
    leftMs -= dayMinutes * minuteMs;
  }
}

/** The latest start, at the same time of day, from which this many working days have passed by `moment`. */
export function workingDaysBefore(workingDays: WorkingDays, moment: Date, days: number): Date {
  let ms = moment.getTime() - days * dayMs;
  while (addWorkingTime(workingDays, new Date(ms), { days }) > moment) ms -= dayMs;
  return new Date(ms);
}

export function isWorkingDay({ extraBankHolidays }: WorkingDays, day: CalendarDay): boolean {
  return day.weekday < 5 && !isBankHoliday(day) && !extraBankHolidays.includes(day.date);
}

/**
 * The working day on which to act if something is due on this day: the day itself, or else the last working day before it, so that a
 * check never comes late. If that is today or past, nobody would have time, so it is the next working day.
 */
export function dayToAct(workingDays: WorkingDays, day: CalendarDay, today: CalendarDay): CalendarDay {
  if (isWorkingDay(workingDays, day)) return day;
  const before = nearestWorkingDay(workingDays, day, -1);
  return before.date > today.date ? before : nearestWorkingDay(workingDays, day, 1);
}

/** This day if it is a working day; otherwise the next one, or with -1 the one before. */
export function nearestWorkingDay(workingDays: WorkingDays, day: CalendarDay, step: 1 | -1): CalendarDay {
  let nearest = day;
  while (!isWorkingDay(workingDays, nearest)) nearest = daysLater(nearest, step);
  return nearest;
}

/** The working day after the day of this moment: by its end somebody rings a person who may need help. */
export function nextWorkingDay(workingDays: WorkingDays, at: Date): CalendarDay {
  return nearestWorkingDay(workingDays, daysLater(localTime(at).day, 1), 1);
}

/** The same time of day in London on the next working day, unless it is on a working day. */
export function onWorkingDay(workingDays: WorkingDays, moment: Date): Date {
  const { day, minute } = localTime(moment);
  if (isWorkingDay(workingDays, day)) return moment;
  return new Date(londonMomentMs(nearestWorkingDay(workingDays, day, 1), minute));
}

/**
 * A minute of a day in London, in milliseconds since 1970. The clocks change at night, so every minute of office hours exists
 * once. When the clock repeats an hour, this is a minute of the second time.
 */
export function londonMomentMs(day: CalendarDay, minute: number): number {
  const asUtcMs = utcMs(day, minute);
  const local = localTime(new Date(asUtcMs));
  const aheadOfUtcMs = utcMs(local.day, local.minute) - asUtcMs;
  return asUtcMs - aheadOfUtcMs;
}

function utcMs({ date }: CalendarDay, minute: number): number {
  return Date.parse(`${date}T00:00:00Z`) + minute * minuteMs;
}

const [monday, tuesday, friday] = [0, 1, 4];

/**
 * Whether a weekday is a bank holiday in England and Wales by the usual rules (gov.uk/bank-holidays). Those that are
 * proclaimed for one year alone are in `ONWARD_EXTRA_BANK_HOLIDAYS`.
 */
export function isBankHoliday(day: CalendarDay): boolean {
  const { weekday, monthDay, nth, nthFromEnd } = day;
  const isMonday = weekday === monday;
  switch (day.date.slice(5, 7)) {
    case '01':
      return monthDay === 1 || (isMonday && monthDay <= 3);
    case '03':
    case '04':
      return isEasterHoliday(day);
    case '05':
      return isMonday && (nth === 1 || nthFromEnd === -1);
    case '08':
      return isMonday && nthFromEnd === -1;
    case '12':
      // Where Christmas is at a weekend, the next working days take its place.
      return monthDay === 25 || monthDay === 26 || ([27, 28].includes(monthDay) && weekday <= tuesday);
    default:
      return false;
  }
}

function isEasterHoliday(day: CalendarDay): boolean {
  const year = Number(day.date.slice(0, 4));
  if (day.weekday === friday) return daysLater(day, 2).date === easterSunday(year);
  return day.weekday === monday && daysLater(day, -1).date === easterSunday(year);
}

/** By the anonymous Gregorian algorithm (Nature, 1876). @returns such as 2026-04-05 */
function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekdayShift = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekdayShift) / 451);
  const number = epact + weekdayShift - 7 * late + 114;
  const [month, monthDay] = [Math.floor(number / 31), (number % 31) + 1];
  return `${year}-0${month}-${String(monthDay).padStart(2, '0')}`;
}
