import { dayMs, minuteMs } from '../durations.ts';

/** A calendar day without a time zone, with everything that recurrence rules compare. */
export type CalendarDay = DayInMonth & {
  /** Such as 2026-11-21. */
  readonly date: string;
};

/** The numbers of a day, without its text. */
export type DayInMonth = {
  /** 0 is Monday. */
  readonly weekday: number;
  readonly monthDay: number;
  /** -1 is the last day of the month. */
  readonly monthDayFromEnd: number;
  /** 1 for the first Tuesday of a month, and so on; from the month's end, -1 for the last. */
  readonly nth: number;
  readonly nthFromEnd: number;
  /** Weeks and months since the start of 1970. */
  readonly week: number;
  readonly month: number;
};

/** The day at the start of a text such as `2026-11-21` or `2026-11-21T00:00:00Z`; undefined if there is no such day. */
export function calendarDay(text: string | undefined): CalendarDay | undefined {
  const date = /^[12]\d{3}-\d\d-\d\d/.exec(text ?? '')?.[0];
  const number = date === undefined ? Number.NaN : dayNumber(date);
  const day = Number.isNaN(number) ? undefined : dayFromNumber(number);
  return day?.date === date ? day : undefined;
}

/** Whether the text is a day and nothing more, such as `2026-11-21`. */
export function isCalendarDay(text: string): boolean {
  return calendarDay(text)?.date === text;
}

/** Days since 1 January 1970. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

function dayFromNumber(number: number): CalendarDay {
  return { date: new Date(number * dayMs).toISOString().slice(0, 10), ...dayInMonth(number) };
}

export function dayInMonth(number: number): DayInMonth {
  const day = new Date(number * dayMs);
  const [year, month, monthDay] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const monthDayFromEnd = monthDay - lastOfMonth - 1;
  return {
    // The first day of 1970 was a Thursday.
    weekday: modulo(number + 3, 7),
    monthDay,
    monthDayFromEnd,
    nth: Math.ceil(monthDay / 7),
    nthFromEnd: -Math.ceil(-monthDayFromEnd / 7),
    week: Math.floor((number + 3) / 7),
    month: (year - 1970) * 12 + month,
  };
}

export function dayBefore(day: CalendarDay): CalendarDay {
  return daysLater(day, -1);
}

/** Counts days of the calendar, whether the clocks change or not. */
export function daysLater({ date }: CalendarDay, days: number): CalendarDay {
  return dayFromNumber(dayNumber(date) + days);
}

/** The remainder, which is never negative. */
export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

const inLondon = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

type LocalTime = { readonly day: CalendarDay; readonly minute: number };

/** The last answer. Almost all calls are about now, and computing one takes 20 microseconds. */
let latest: { minute: number; time: LocalTime } | undefined;

/** The day and the minute of the day in the United Kingdom, where opening times are given in local time. */
export function localTime(moment: Date): LocalTime {
  const minute = Math.floor(moment.getTime() / minuteMs);
  if (latest?.minute !== minute) latest = { minute, time: computeLocalTime(moment) };
  return latest.time;
}

function computeLocalTime(moment: Date): LocalTime {
  const parts = new Map(inLondon.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = calendarDay(
    `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`,
  )!;
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}
