import { LRUCache } from 'lru-cache';
import { type CalendarDay, calendarDay, modulo } from '../../platform/clock/index.ts';
import type { Schedule, Service, ServiceAtLocation } from '../model/service.ts';
import { minuteOf } from './clock-time.ts';
import { lastOccurrence, type OtherHours, type Recurrence } from './other-hours.ts';
import { bydayCodes, dayCodes, minutesPerDay, multirange, type Range, weekRanges } from './week.ts';

/** Opening times: those of every week, and all others. */
export type OpeningHours = { week: readonly Range[]; others: readonly OtherHours[] };

/** The times at which the service is open, at any of its locations. A building's hours count only if the service has none. */
export function serviceHours(service: Service, today: string): OpeningHours {
  return openingHours(serviceSchedules(service), today);
}

export function serviceSchedules(service: Service): readonly Schedule[] {
  const places = service.service_at_locations ?? [];
  const { schedules: always = [] } = service;
  const there = places.flatMap(({ schedules = [] }) => schedules);
  const own = there.length === 0 ? always : [...always, ...there];
  return own.length > 0 ? own : places.flatMap(({ location }) => location?.schedules ?? []);
}

/** The schedules at one location: its own; if it has none, the service's; if that has none, the building's. */
export function schedulesAtLocation(service: Service, at: ServiceAtLocation): readonly Schedule[] {
  const candidates = [at.schedules, service.schedules, at.location?.schedules];
  return candidates.find((schedules) => schedules !== undefined && schedules.length > 0) ?? [];
}

/** Far more than any timetable has. A megabyte could describe enough hours to fill the memory. */
const maxHours = 5000;
const maxDaysPerSchedule = 500;

/** Schedules that ended before `today` (such as 2026-11-21) are left out. */
export function openingHours(schedules: readonly Schedule[], today: string): OpeningHours {
  const week: Range[] = [];
  const others: OtherHours[] = [];
  for (const schedule of schedules.slice(0, maxHours)) {
    const read = isDated(schedule) ? readSchedule(schedule, today) : readUndated(schedule, today);
    week.push(...read.week);
    others.push(...read.others);
    if (week.length + others.length >= maxHours) break;
  }
  return { week, others };
}

/** Whether the schedule means something else on another day. */
function isDated({ dtstart, until, valid_from, valid_to }: Schedule): boolean {
  return (dtstart ?? until ?? valid_from ?? valid_to) !== undefined;
}

const undatedHours = new LRUCache<string, OpeningHours>({ max: 2000 });
const maxKeyLength = 200;

/** Many services have the same hours. Parsing a schedule takes 20 microseconds, looking it up one. */
function readUndated(schedule: Schedule, today: string): OpeningHours {
  const { freq, interval, byday, bymonthday, byweekno, byyearday, opens_at, closes_at } = schedule;
  // No text of a service contains the character NUL.
  const key = `${freq}\0${interval}\0${byday}\0${bymonthday}\0${byweekno}\0${byyearday}\0${opens_at}\0${closes_at}`;
  if (key.length > maxKeyLength) return readSchedule(schedule, today);
  const known = undatedHours.get(key);
  if (known) return known;
  const read = readSchedule(schedule, today);
  undatedHours.set(key, read);
  return read;
}

const noHours: OpeningHours = { week: [], others: [] };
const closedWords = /^\s*(?:closed|shut|not open)(?:\s+all\s+day)?[\s.]*$/i;

/** Whether a schedule says “closed” instead of times. */
export function saysClosed({ opens_at, closes_at }: Schedule): boolean {
  const times = [opens_at, closes_at].filter((time) => time !== undefined);
  return times.length > 0 && times.every((time) => closedWords.test(time));
}

function readSchedule(schedule: Schedule, today: string): OpeningHours {
  if (saysClosed(schedule)) return noHours;
  const { byweekno, byyearday } = schedule;
  const days = recurrencesOf(schedule, startOf(schedule));
  const period = periodOf(schedule);
  if (byweekno !== undefined || byyearday !== undefined || (period.valid_to ?? today) < today) return noHours;
  const times = timesOf(schedule);
  const hasBegun = (period.valid_from ?? today) <= today;
  const lasting = hasBegun && period.valid_to === null;
  const regular = lasting && times.opens !== null && days.every(isEveryWeek);
  if (regular)
    return { week: days.flatMap((day) => weekRanges(day.weekday!, times.opens!, times.closes!)), others: [] };
  return {
    week: [],
    others: days.map((day) => ({ ...day, ...times, ...period, during: multirangeOf(day, times) })),
  };
}

type Times = Pick<OtherHours, 'opens' | 'closes'>;

/**
 * The times of a day. If the closing time is not after the opening time, it is on the next day. If one of them cannot be
 * read, neither counts: “9am to late” does not say whether it is open at 11pm.
 */
function timesOf({ opens_at, closes_at }: Schedule): Times {
  const [opens, closes] = [minuteOf(opens_at), minuteOf(closes_at)];
  const isUnreadable =
    (opens_at !== undefined && opens === undefined) || (closes_at !== undefined && closes === undefined);
  if (isUnreadable || (opens === undefined && closes === undefined)) return { opens: null, closes: null };
  const from = (opens ?? 0) % minutesPerDay;
  const to = closes ?? minutesPerDay;
  return { opens: from, closes: to > from ? to : to + minutesPerDay };
}

function multirangeOf({ weekday }: Recurrence, { opens, closes }: Times): string {
  return multirange(weekday === null ? [] : weekRanges(weekday, opens ?? 0, closes ?? minutesPerDay));
}

function startOf({ dtstart, valid_from }: Schedule): CalendarDay | undefined {
  return calendarDay(dtstart ?? valid_from);
}

/**
 * From the later of the two starts to the earliest of the ends; a `count` of occurrences is an end, too. A schedule without
 * recurrence is one day.
 */
export function periodOf(schedule: Schedule): { valid_from: string | null; valid_to: string | null } {
  const start = startOf(schedule);
  const { count } = schedule;
  const last =
    start && count !== undefined ? lastOccurrence(recurrencesOf(schedule, start), start, count) : undefined;
  const dates = (...texts: (string | undefined)[]) =>
    texts.flatMap((text) => calendarDay(text)?.date ?? []).toSorted();
  const { valid_from, valid_to, dtstart, until } = schedule;
  const once = isSingleDay(schedule) ? dtstart : undefined;
  return {
    valid_from: dates(valid_from, dtstart).at(-1) ?? null,
    valid_to: dates(valid_to, until, once, last)[0] ?? null,
  };
}

/** Whether the schedule is one day, and does not recur. */
export function isSingleDay({ freq, byday, bymonthday }: Schedule): boolean {
  return freq === undefined && byday === undefined && bymonthday === undefined;
}

function isEveryWeek({ monthly, weekday, every }: Recurrence): boolean {
  return !monthly && weekday !== null && every === 1;
}

/** The days of a schedule; none if it does not give them. */
function recurrencesOf(schedule: Schedule, start: CalendarDay | undefined): Recurrence[] {
  const { byday, bymonthday = '', freq, interval = 1 } = schedule;
  const weekdays = bydayCodes(byday).map((text) => ({
    weekday: dayCodes.indexOf(text.slice(-2) as 'MO'),
    nth: text.length === 2 ? null : Number(text.slice(0, -2)),
  }));
  const monthDays = listDates(bymonthday, /[+-]?\d{1,2}/g).map(Number);
  const monthly = freq === 'MONTHLY' || monthDays.length > 0 || weekdays.some(({ nth }) => nth !== null);
  // A schedule without days takes place on the day of its start.
  if (weekdays.length === 0 && monthDays.length === 0 && start) {
    if (monthly) monthDays.push(start.monthDay);
    else weekdays.push({ weekday: start.weekday, nth: null });
  }
  const every = Number.isInteger(interval) && interval > 1 ? Math.min(interval, 1000) : 1;
  const remainder = start ? modulo(monthly ? start.month : start.week, every) : null;
  const dates: (number | null)[] = monthDays.length > 0 ? monthDays : [null];
  const on = weekdays.length > 0 ? weekdays : [{ weekday: null, nth: null }];
  const datesEach = dates.slice(0, Math.floor(maxDaysPerSchedule / on.length));
  const all = on.flatMap((day) =>
    datesEach.map((month_day) => ({ ...day, month_day, monthly, every, remainder })),
  );
  return all.filter(({ weekday, month_day }) => weekday !== null || month_day !== null);
}

/** Without repeats: a hostile file could otherwise combine days of the week and of the month into billions of rows. */
function listDates(text: string, day: RegExp): string[] {
  return [...new Set(text.match(day))].slice(0, maxDaysPerSchedule);
}
