/** A day of the calendar without a time zone, by all that a recurrence can ask of it. */
export type CalendarDay = DayInMonth & {
  /** Such as 2026-11-21. */
  readonly date: string;
};

/** What of it is no text, and so takes little time to work out. */
export type DayInMonth = {
  /** 0 is Monday. */
  readonly weekday: number;
  readonly monthDay: number;
  /** -1 is the last of the month. */
  readonly monthDayFromEnd: number;
  /** Which of its weekday it is in the month, and from the month's end (-1). */
  readonly nth: number;
  readonly nthFromEnd: number;
  /** Numbers of its week and month since 1970 began. */
  readonly week: number;
  readonly month: number;
};

const msADay = 86_400_000;

/** The day that a text such as `2026-11-21` or `2026-11-21T00:00:00Z` begins with; none where there is no such day. */
export function calendarDay(text: string | undefined): CalendarDay | undefined {
  const date = /^[12]\d{3}-\d\d-\d\d/.exec(text ?? '')?.[0];
  const number = date === undefined ? Number.NaN : numberOf(date);
  const day = Number.isNaN(number) ? undefined : dayNumbered(number);
  return day?.date === date ? day : undefined;
}

/** How many days after the first of 1970 it is. */
export function numberOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / msADay;
}

function dayNumbered(number: number): CalendarDay {
  return { date: new Date(number * msADay).toISOString().slice(0, 10), ...inMonth(number) };
}

export function inMonth(number: number): DayInMonth {
  const day = new Date(number * msADay);
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

export function daysLater({ date }: CalendarDay, days: number): CalendarDay {
  return dayNumbered(numberOf(date) + days);
}

/** The remainder, which is never negative. */
export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
