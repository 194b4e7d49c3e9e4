import { dayMs } from '../durations.ts';

const zone = 'Europe/London';

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: zone,
});
const clockTime = new Intl.DateTimeFormat('en-GB', {
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
  timeZone: zone,
});
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: zone });
const calendarDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const shortLocalDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: zone });
const year = new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: zone });
const shortDayAndYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: zone,
});

/** A moment in UK time, for pages and emails: “21 November 2026 at 9:30am”. */
export function momentInWords(value: string | Date): string {
  const date = new Date(value);
  return `${day.format(date)} at ${timeOfDay(date)}`;
}

/** The time of a moment in the United Kingdom: “9:30am”. */
export function timeInWords(value: string | Date): string {
  return timeOfDay(new Date(value));
}

/** The day of a moment in the United Kingdom: “21 November 2026”. */
export function dayInWords(value: string | Date): string {
  return day.format(new Date(value));
}

/** Dates and times as NHS style writes them: “21 November 2026”, “21 November 2026 at 9:30am”. */
export const filters: Readonly<Record<string, (value: never, ...rest: never[]) => unknown>> = {
  day: dayInWords,
  moment: momentInWords,
  /** For a table: “23 Nov 2026”. */
  shortDay: (value: string | Date) => shortDayAndYear.format(new Date(value)),
  /** A date without a time and year, for a table: “23 Nov”. */
  shortDate: (value: string) => shortDay.format(new Date(`${value}T00:00:00Z`)),
  month: (value: Date) => month.format(value),
  threadTime: threadTimeInWords,
  /** A date without a time, such as a birth date: `1950-12-31`. */
  calendarDay: (value: string) => calendarDay.format(new Date(`${value}T00:00:00Z`)),
  /** With a capital letter and a full stop. */
  sentence: (value: string) => `${value[0]!.toUpperCase()}${value.slice(1)}.`,
};

/** When something was said, as a conversation shows it: “Today 3:01pm”, “Yesterday 9:30am”, “23 Nov 9:30am”, “23 Nov 2025 9:30am”. */
function threadTimeInWords(value: string | Date, now: Date): string {
  const date = new Date(value);
  const isOn = (other: Date) => shortDayAndYear.format(date) === shortDayAndYear.format(other);
  if (isOn(now)) return `Today ${timeOfDay(date)}`;
  if (isOn(new Date(now.getTime() - dayMs))) return `Yesterday ${timeOfDay(date)}`;
  const isThisYear = year.format(date) === year.format(now);
  return `${(isThisYear ? shortLocalDay : shortDayAndYear).format(date)} ${timeOfDay(date)}`;
}

function timeOfDay(value: Date): string {
  const text = clockTime.format(value).replace(' ', '').replace(':00', '').toLowerCase();
  return { '12am': 'midnight', '12pm': 'midday' }[text] ?? text;
}
