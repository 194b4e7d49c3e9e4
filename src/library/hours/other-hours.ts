import { type CalendarDay, type DayInMonth, modulo } from './calendar-day.ts';

/** Hours of certain weeks, of days of the month, of a season, or without a time. A row of `service_hours`. */
export type OtherHours = {
  during: string;
  opens: number | null;
  closes: number | null;
  monthly: boolean;
  weekday: number | null;
  nth: number | null;
  month_day: number | null;
  every: number;
  remainder: number | null;
  valid_from: string | null;
  valid_to: string | null;
};

/** Whether hours that are not every week's are those of a day. */
export function isOn(
  hours: Recurrence & Pick<OtherHours, 'valid_from' | 'valid_to'>,
  day: CalendarDay,
): boolean {
  const { valid_from, valid_to } = hours;
  const isPeriod =
    (valid_from === null || valid_from <= day.date) && (valid_to === null || valid_to >= day.date);
  return isPeriod && recursOn(hours, day);
}

export type Recurrence = Omit<OtherHours, 'during' | 'opens' | 'closes' | 'valid_from' | 'valid_to'>;

/** The same of hours that have neither a beginning nor an end. */
export function recursOn(hours: Recurrence, day: DayInMonth): boolean {
  const { weekday, nth, month_day, every, remainder, monthly } = hours;
  return (
    (weekday === null || weekday === day.weekday) &&
    (nth === null || nth === day.nth || nth === day.nthFromEnd) &&
    (month_day === null || month_day === day.monthDay || month_day === day.monthDayFromEnd) &&
    (every === 1 || remainder === modulo(monthly ? day.month : day.week, every))
  );
}
