import { newId } from '../../../platform/ids/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { clockTime, minuteOf } from '../../hours/clock-time.ts';
import { bydayCodes, dayCodes, dayNames, minutesPerDay } from '../../hours/week.ts';
import type { Schedule } from '../../model/service.ts';
import { staleOriginals } from '../../write/clean-times.ts';

/** The form's week has two rows for each day, so that a day can have a break. */
type Day = (typeof dayCodes)[number];
type Row = { key: string; day: Day; dayName: string };
type Slot = { schedule: Schedule; opens: string; closes: string };

export const weekRows: readonly Row[] = dayCodes.flatMap((day, index) =>
  [1, 2].map((turn) => ({ key: `${day}_${turn}`, day, dayName: dayNames[index]! })),
);
export const weekFields: readonly string[] = weekRows.flatMap(({ key }) => [`opens_${key}`, `closes_${key}`]);

const weekly = /^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$/;
const boundFields = [
  'valid_from',
  'valid_to',
  'until',
  'count',
  'bymonthday',
  'byyearday',
  'byweekno',
] as const;

/** The times that the form can show, and the schedules that it cannot: every other week, first Mondays and so on. */
export function weekOf(schedules: readonly Schedule[]): { slots: Map<string, Slot>; others: Schedule[] } {
  const slots = new Map<string, Slot>();
  const others: Schedule[] = [];
  for (const schedule of schedules.toSorted((a, b) => opensAt(a) - opensAt(b))) {
    const free = isPlain(schedule)
      ? bydayOf(schedule).map((day) => weekRows.find((row) => row.day === day && !slots.has(row.key)))
      : [undefined];
    if (free.includes(undefined)) others.push(schedule);
    else {
      const times = { opens: browserTime(schedule.opens_at!), closes: browserTime(schedule.closes_at!) };
      for (const row of free) slots.set(row!.key, { schedule, ...times });
    }
  }
  return { slots, others };
}

export function weekValues(schedules: readonly Schedule[]): Record<string, string> {
  const { slots } = weekOf(schedules);
  return Object.fromEntries(
    weekRows.flatMap(({ key }) => [
      [`opens_${key}`, slots.get(key)?.opens ?? ''],
      [`closes_${key}`, slots.get(key)?.closes ?? ''],
    ]),
  );
}

/** Checks only times that somebody changed: a source's own times may go on past midnight. */
export function weekErrors(
  schedules: readonly Schedule[],
  values: Readonly<Record<string, string>>,
): FieldError[] {
  return changedRows(weekOf(schedules).slots, values).flatMap(({ key, dayName }) => {
    const { opens, closes } = typedTimes(values, key);
    if (opens === '' && closes === '') return [];
    const wrong = [opens, closes].some((time) => minuteOf(time) === undefined);
    if (wrong)
      return [
        { pointer: `/opens_${key}`, message: `Enter both times for ${dayName}, such as 09:30 and 16:00` },
      ];
    if (opens < closes || closes === '00:00') return [];
    return [{ pointer: `/opens_${key}`, message: `On ${dayName} it must close after it opens` }];
  });
}

/**
 * The schedules with the form's week. Unchanged schedules stay as their source gave them. New times for a day replace words
 * such as “by appointment”.
 */
export function withWeek(
  schedules: readonly Schedule[],
  values: Readonly<Record<string, string>>,
): readonly Schedule[] {
  const { slots, others } = weekOf(schedules);
  const changed = changedRows(slots, values);
  if (changed.length === 0) return schedules;
  const changedKeys = new Set(changed.map(({ key }) => key));
  const timedDays = new Set(
    changed.filter(({ key }) => typedTimes(values, key).opens !== '').map(({ day }) => day as string),
  );
  const remaining = schedules.flatMap((schedule) => {
    if (others.includes(schedule)) return withoutDays(schedule, timedDays);
    const rows = weekRows.filter(({ key }) => slots.get(key)?.schedule === schedule);
    const left = rows.filter(({ key }) => !changedKeys.has(key));
    if (left.length === rows.length) return [schedule];
    return left.length === 0 ? [] : [{ ...schedule, byday: left.map(({ day }) => day).join(',') }];
  });
  return [...remaining, ...newSchedules(changed, slots, values, new Set(remaining.map(({ id }) => id)))];
}

function changedRows(
  slots: ReadonlyMap<string, Slot>,
  values: Readonly<Record<string, string>>,
): readonly Row[] {
  return weekRows.filter(({ key }) => {
    const { opens, closes } = typedTimes(values, key);
    return opens !== (slots.get(key)?.opens ?? '') || closes !== (slots.get(key)?.closes ?? '');
  });
}

/** One schedule for all days with the same new times and the same previous schedule, whose other fields they keep. */
function newSchedules(
  changed: readonly Row[],
  slots: ReadonlyMap<string, Slot>,
  values: Readonly<Record<string, string>>,
  usedIds: Set<string | undefined>,
): Schedule[] {
  const filled = changed.filter(({ key }) => typedTimes(values, key).opens !== '');
  const groups = Map.groupBy(filled, ({ key }) => {
    const { opens, closes } = typedTimes(values, key);
    return JSON.stringify([opens, closes, slots.get(key)?.schedule]);
  });
  return [...groups.values()].map((rows) => {
    const { key } = rows[0]!;
    const { opens: opens_at, closes: closes_at } = typedTimes(values, key);
    const base = slots.get(key)?.schedule;
    const id = base?.id === undefined || usedIds.has(base.id) ? newId() : base.id;
    usedIds.add(id);
    const byday = rows.map(({ day }) => day).join(',');
    const schedule: Schedule = { ...base, id, freq: 'WEEKLY', byday, opens_at, closes_at };
    const stale = staleOriginals(schedule);
    return Object.fromEntries(Object.entries(schedule).filter(([name]) => !stale.includes(name)));
  });
}

function isPlain(schedule: Schedule): boolean {
  const { byday = '', opens_at, closes_at } = schedule;
  const timed = minuteOf(opens_at) !== undefined && minuteOf(closes_at) !== undefined;
  return isEveryWeek(schedule) && weekly.test(byday) && timed;
}

function isEveryWeek(schedule: Schedule): boolean {
  const { freq, interval = 1 } = schedule;
  return freq !== 'MONTHLY' && interval === 1 && boundFields.every((name) => schedule[name] === undefined);
}

/** A schedule whose times are words, without the days that now have times; none if no day is left. */
function withoutDays(schedule: Schedule, timedDays: ReadonlySet<string>): Schedule[] {
  const { byday, opens_at, closes_at } = schedule;
  const words = [opens_at, closes_at].filter((time) => time !== undefined);
  const isInWords = words.length > 0 && words.every((time) => minuteOf(time) === undefined);
  const codes = bydayCodes(byday);
  const left = codes.filter((code) => !timedDays.has(code));
  const isReplaced = isInWords && isEveryWeek(schedule) && left.length < codes.length;
  if (!isReplaced) return [schedule];
  return left.length === 0 ? [] : [{ ...schedule, byday: left.join(',') }];
}

function bydayOf({ byday }: Schedule): string[] {
  return [...new Set(byday!.split(','))];
}

/** Schedules without a readable time come last. */
function opensAt({ opens_at }: Schedule): number {
  return minuteOf(opens_at) ?? minutesPerDay;
}

/** Writes `9:30`, `9.30am` and `09:30:00Z` as `09:30`, as browsers do. Other text stays as it is. */
function browserTime(text: string): string {
  const minute = minuteOf(text);
  return minute === undefined ? text : clockTime(minute % minutesPerDay);
}

function typedTimes(
  values: Readonly<Record<string, string>>,
  key: string,
): { opens: string; closes: string } {
  return {
    opens: browserTime((values[`opens_${key}`] ?? '').trim()),
    closes: browserTime((values[`closes_${key}`] ?? '').trim()),
  };
}
