import { upperFirst } from '../../platform/first-letter.ts';
import { clockTime, minuteOf } from '../hours/clock-time.ts';
import type { Opening } from '../hours/next-opening.ts';
import { isSingleDay, periodOf, saysClosed } from '../hours/opening-hours.ts';
import { bydayCodes, dayCodes, dayNames, minutesPerDay } from '../hours/week.ts';
import type { Schedule } from '../model/service.ts';
import { clockTimeInWords, dateInWords, listInWords } from './words.ts';

/** When something is open: “Tuesday and Thursday, 10am to 12:30pm”, with the source's own note. */
export type OpenTime = { when: string; note: string | undefined };

const ordinals: Readonly<Record<string, string>> = {
  '1': 'first',
  '2': 'second',
  '3': 'third',
  '4': 'fourth',
  '5': 'fifth',
  '-1': 'last',
};

/** Sources end a day of 24 hours at one of these minutes. */
const dayEnds: readonly (number | undefined)[] = [0, minutesPerDay - 1, minutesPerDay];

/** Opening times in plain words, without those that ended before `today` (such as 2026-11-21). */
export function openTimes(schedules: readonly Schedule[] | undefined, today: string): OpenTime[] {
  const byDays = new Map<string, { on: string; hours: string[]; note: string | undefined; period: string }>();
  for (const schedule of schedules ?? []) {
    const { valid_from: from, valid_to: to } = periodOf(schedule);
    if (to !== null && to < today) continue;
    const note = scheduleNote(schedule);
    const on = daysInWords(schedule);
    const period =
      isSingleDay(schedule) && schedule.dtstart
        ? ''
        : periodInWords(from, to ?? schedule.valid_to ?? schedule.until, today);
    // The two parts of a day with a lunch break share a line.
    const key = JSON.stringify([on, note, period]);
    const known = byDays.get(key) ?? { on, hours: [], note, period };
    known.hours.push(...hoursInWords(schedule));
    byDays.set(key, known);
  }
  return [...byDays.values()].map(({ on, hours, note, period }) => {
    const when = upperFirst([on, listInWords(hours), period].filter(Boolean).join(', '));
    return when === '' ? { when: note ?? '', note: undefined } : { when, note };
  });
}

/** The source's note on a schedule, such as “March to October”. */
export function scheduleNote({ description, notes }: Schedule): string | undefined {
  return [description, notes].filter(Boolean).join('. ') || undefined;
}

/** Text that is not a time stays as the source wrote it. */
function hoursInWords(schedule: Schedule): string[] {
  if (saysClosed(schedule)) return ['closed'];
  const { opens_at, closes_at } = schedule;
  const words = opens_at ?? closes_at;
  if (words === undefined) return [];
  const isSingleText = opens_at === undefined || closes_at === undefined || opens_at === closes_at;
  // “By appointment” is neither an opening nor a closing time.
  if (isSingleText && minuteOf(words) === undefined) return [words];
  if (opens_at === undefined) return [`until ${clockTimeInWords(words)}`];
  if (closes_at === undefined) return [`from ${clockTimeInWords(words)}`];
  const isAllDay = minuteOf(opens_at) === 0 && dayEnds.includes(minuteOf(closes_at));
  return [isAllDay ? '24 hours' : `${clockTimeInWords(opens_at)} to ${clockTimeInWords(closes_at)}`];
}

function daysInWords(schedule: Schedule): string {
  const { freq, byday, bymonthday, dtstart, interval = 1 } = schedule;
  const parts = bydayCodes(byday);
  if (freq === 'MONTHLY') {
    const dates =
      parts.length > 0 ? parts.map(monthlyDay) : (bymonthday?.match(/-?\d+/g) ?? []).map(monthDate);
    const month =
      interval === 1
        ? 'of the month'
        : `of every ${interval === 2 ? 'other' : numberInOrder(String(interval))} month`;
    return dates.length === 0 ? 'monthly' : `${listInWords(dates)} ${month}`;
  }
  const week = weekDays(parts);
  if (week === '') return freq === undefined && dtstart !== undefined ? dateInWords(dtstart) : '';
  if (interval === 1) return week;
  return interval === 2 ? `every other week on ${week}` : `every ${interval} weeks on ${week}`;
}

/** Of a part of BYDAY, such as `MO` or `2TU`. */
function dayIndex(part: string): number {
  return dayCodes.indexOf(part.slice(-2) as (typeof dayCodes)[number]);
}

function weekDays(parts: readonly string[]): string {
  const indexes = [...new Set(parts.map((part) => dayIndex(part)))].sort();
  const [first, last] = [indexes[0], indexes.at(-1)];
  if (first === undefined || last === undefined) return '';
  if (indexes.length === 7) return 'every day';
  const isConsecutive = last - first === indexes.length - 1 && indexes.length > 2;
  return isConsecutive
    ? `${dayNames[first]} to ${dayNames[last]}`
    : listInWords(indexes.map((index) => dayNames[index]!));
}

function monthlyDay(part: string): string {
  const name = dayNames[dayIndex(part)]!;
  const which = part.slice(0, -2);
  return which === '' ? `every ${name}` : `${ordinals[which] ?? numberInOrder(which)} ${name}`;
}

function monthDate(date: string): string {
  if (date === '-1') return 'last day';
  return date.startsWith('-') ? `${numberInOrder(date)} day` : numberInOrder(date);
}

/** “3rd”; `-2` counts from the end: “2nd to last”. */
function numberInOrder(number: string): string {
  const end = /1[123]$/.test(number) ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[number.at(-1)!] ?? 'th');
  return number.startsWith('-') ? `${number.slice(1)}${end} to last` : `${number}${end}`;
}

/** An end that is no date stays as the source wrote it. */
function periodInWords(from: string | null, to: string | undefined, today: string): string {
  const begins = from !== null && from > today ? `from ${dateInWords(from)}` : '';
  return [begins, to === undefined ? '' : `until ${dateInWords(to)}`].filter(Boolean).join(' ');
}

/** “Open now, until 4pm”, “Open tomorrow, 10am to midday”, “Open Tuesday 8 December, 6pm to 8pm”. */
export function openingInWords(opening: Opening, minuteNow: number): string {
  const { day, daysAhead, opens, closes } = opening;
  const hasBegun = opens !== null && daysAhead * minutesPerDay + opens <= minuteNow;
  // Many write a whole day as 00:00 to 23:59, and a line for the night does not close at midnight.
  const isAllDay = opens !== null && closes! - opens >= minutesPerDay - 1;
  if (hasBegun) return isAllDay ? 'Open now, all day' : `Open now, until ${minuteInWords(closes!)}`;
  const times =
    opens === null ? '' : isAllDay ? ', all day' : `, ${minuteInWords(opens)} to ${minuteInWords(closes!)}`;
  return `Open ${dayFromNow(day, daysAhead)}${times}`;
}

function dayFromNow({ weekday, date }: Opening['day'], daysAhead: number): string {
  if (daysAhead === 0) return 'today';
  if (daysAhead === 1) return 'tomorrow';
  if (daysAhead < 7) return dayNames[weekday]!;
  return `${dayNames[weekday]} ${dateInWords(date).replace(/ \d{4}$/, '')}`;
}

function minuteInWords(minute: number): string {
  return clockTimeInWords(clockTime(minute % minutesPerDay));
}
