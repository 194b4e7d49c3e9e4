import { calendarDay, localTime } from '../../platform/clock/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { badRequest, type FieldError, Problem } from '../../platform/problem/index.ts';

/** Days in London, both included. */
export type Period = { from: string; to: string };

/** Reads two days such as 2026-11-01. @throws Problem `bad-request` that names the parameter. */
export function readPeriod(from: string | undefined, to: string | undefined): Period {
  const errors: FieldError[] = [];
  const readDay = (name: string, text: string | undefined) => {
    const day = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? calendarDay(text)?.date : undefined;
    if (day === undefined)
      errors.push({ pointer: `/query/${name}`, message: 'must be a date such as 2026-11-01' });
    return day ?? '';
  };
  const period = { from: readDay('from', from), to: readDay('to', to) };
  if (errors.length === 0 && period.from > period.to)
    errors.push({ pointer: '/query/from', message: 'must not be after the last day' });
  if (errors.length === 0) return period;
  throw new Problem(badRequest, 'A parameter is not right.', { errors });
}

/** The whole calendar months that a period consists of, by their first days; undefined if it begins or ends within a month. */
export function wholeMonths({ from, to }: Period): string[] | undefined {
  if (!from.endsWith('-01') || !dayAfter(to).endsWith('-01')) return undefined;
  const months: string[] = [];
  for (let month = from; month <= to; month = nextMonth(month)) months.push(month);
  return months;
}

/** The whole months in a period, which may begin and end within others. */
export function monthsWithin({ from, to }: Period): Period | undefined {
  const first = from.endsWith('-01') ? from : nextMonth(`${from.slice(0, 7)}-01`);
  const afterLast = `${dayAfter(to).slice(0, 7)}-01`;
  return first < afterLast ? { from: first, to: plusDays(afterLast, -1) } : undefined;
}

export function monthPeriod(month: string): Period {
  return { from: month, to: plusDays(nextMonth(month), -1) };
}

/** The period of the same length before this one: months before months, days before days. */
export function periodBefore(period: Period): Period {
  const months = wholeMonths(period);
  const to = plusDays(period.from, -1);
  if (!months) return { from: plusDays(period.from, -lengthOf(period)), to };
  return { from: addMonths(period.from, -months.length), to };
}

/** This month and those before it, `count` in all. */
export function lastMonths(now: Date, count: number): Period {
  const today = localTime(now).day.date;
  const first = `${today.slice(0, 7)}-01`;
  return { from: addMonths(first, 1 - count), to: monthPeriod(first).to };
}

export function isOver({ to }: Period, now: Date): boolean {
  return to < localTime(now).day.date;
}

function lengthOf({ from, to }: Period): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

const nextMonth = (month: string) => addMonths(month, 1);
const dayAfter = (day: string) => plusDays(day, 1);

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

function addMonths(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number! - 1 + count, 1)).toISOString().slice(0, 10);
}
