import { isCalendarDay } from '../clock/index.ts';
import { dayMs } from '../durations.ts';
import { lowerFirst, upperFirst } from '../first-letter.ts';
import { joinDate } from './read-form.ts';

const zone = 'Europe/London';

const londonDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: zone,
});
const londonTime = new Intl.DateTimeFormat('en-GB', {
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
  timeZone: zone,
});
const londonMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: zone });
const utcDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const londonShortDateWithoutYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: zone,
});
const londonYear = new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: zone });
const londonShortDate = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: zone,
});

/** A moment in UK time, for pages and emails: “21 November 2026 at 9:30am”. */
export function momentInWords(value: string | Date): string {
  const date = new Date(value);
  return `${londonDay.format(date)} at ${timeOfDay(date)}`;
}

/** The time of a moment in the United Kingdom: “9:30am”. */
export function timeInWords(value: string | Date): string {
  return timeOfDay(new Date(value));
}

/** The day of a moment in the United Kingdom: “21 November 2026”. */
export function dayInWords(value: string | Date): string {
  return londonDay.format(new Date(value));
}

/** Dates and times as NHS style writes them. Moments are shown in UK time; a date without a time has no time zone. */
export const filters: Readonly<Record<string, (value: never, ...rest: never[]) => unknown>> = {
  /** The day of a moment: “21 November 2026”. */
  day: dayInWords,
  /** A moment: “21 November 2026 at 9:30am”. */
  moment: momentInWords,
  /** The time of a moment: “9:30am”. */
  time: timeInWords,
  /** The day of a moment, or a date without a time, for a table: “23 Nov”, or “23 Nov 2025” of another year than now. */
  shortDate: shortDateInWords,
  /** The month of a moment: “November 2026”. */
  month: (value: string | Date) => londonMonth.format(new Date(value)),
  /** A moment, as a conversation shows it: “Today 3:01pm”. */
  threadTime: threadTimeInWords,
  /** A date without a time, such as a birth date (`1950-12-31`): “31 December 1950”. */
  calendarDay: (value: string) => utcDay.format(new Date(`${value}T00:00:00Z`)),
  /** A date as somebody typed it into three fields: “31 December 1950”; unchanged if that is no date. */
  typedDate: typedDateInWords,
  /** A number as people read it: “37,639”. A sign in place of a number stays as it is. */
  grouped: (value: number | string) => value.toLocaleString('en-GB'),
  /** Within a sentence: with a small letter, unless it begins with an abbreviation, such as NHS. */
  inSentence: (value: string) => (/^[A-Z]{2}/.test(value) ? value : lowerFirst(value)),
  /** With a capital letter and a full stop. */
  sentence: (value: string) => `${upperFirst(value)}.`,
};

function typedDateInWords(day: string, month: string, year: string): string {
  const date = joinDate([year, month, day]) ?? '';
  return isCalendarDay(date)
    ? utcDay.format(new Date(`${date}T00:00:00Z`))
    : [day, month, year].filter(Boolean).join(' ');
}

/** When something was said, as a conversation shows it: “Today 3:01pm”, “Yesterday 9:30am”, “23 Nov 9:30am”, “23 Nov 2025 9:30am”. */
function threadTimeInWords(value: string | Date, now: Date): string {
  const date = new Date(value);
  const isOn = (other: Date) => londonShortDate.format(date) === londonShortDate.format(other);
  if (isOn(now)) return `Today ${timeOfDay(date)}`;
  if (isOn(new Date(now.getTime() - dayMs))) return `Yesterday ${timeOfDay(date)}`;
  return `${shortDateInWords(date, now)} ${timeOfDay(date)}`;
}

function shortDateInWords(value: string | Date, now?: Date): string {
  const date = new Date(value);
  const isThisYear = now !== undefined && londonYear.format(date) === londonYear.format(now);
  return (isThisYear ? londonShortDateWithoutYear : londonShortDate).format(date);
}

function timeOfDay(value: Date): string {
  const text = londonTime.format(value).replace(' ', '').replace(':00', '').toLowerCase();
  return { '12am': 'midnight', '12pm': 'midday' }[text] ?? text;
}
