import { describe, expect, it } from 'vitest';
import { filterRow } from '../filter/filter-row.ts';
import type { Schedule } from '../model/service.ts';
import { openingHours } from './opening-hours.ts';

// A feed or a provider can send a megabyte for one service. Its hours must not fill the memory.

const today = '2026-11-22';
const next = (number: number): Schedule => ({ byday: 'MO', dtstart: '2027-01-04', id: String(number) });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a service with too many hours', () => {
  it('counts a repeated day once', () => {
    const often: Schedule = { freq: 'MONTHLY', byday: '1MO,'.repeat(700), bymonthday: '2,'.repeat(700) };
    expect(openingHours([often], today).others).toEqual([
      expect.objectContaining({ weekday: 0, nth: 1, month_day: 2 }),
    ]);
  });

  it('has at most five hundred days in a schedule', () => {
    const all: Schedule = { freq: 'MONTHLY', byday: 'MO,TU,WE,TH,FR,SA,SU', bymonthday: numbers(32).join() };
    expect(openingHours([all], today).others).toHaveLength(7 * 32);
    const strange: Schedule = {
      freq: 'MONTHLY',
      byday: numbers(100)
        .map((nth) => `${nth}MO`)
        .join(),
      bymonthday: numbers(100).join(),
    };
    expect(openingHours([strange], today).others).toHaveLength(500);
  });

  it('keeps the first five thousand hours of its schedules', () => {
    expect(openingHours(numbers(6000).map(next), today).others).toHaveLength(5000);
    const weekly: Schedule = { freq: 'WEEKLY', byday: 'MO', opens_at: '09:00', closes_at: '10:00' };
    expect(openingHours(Array(6000).fill(weekly), today).week).toHaveLength(5000);
  });

  it('keeps fifty thousand hours of all its places', () => {
    const service = (places: number, hours: number) => ({
      id: 'x',
      name: 'x',
      status: 'active' as const,
      schedules: numbers(hours).map(next),
      // A place with hours of its own does not use up those of the service.
      service_at_locations: numbers(places).map((place) => (place === 0 ? { schedules: [next(0)] } : {})),
    });
    const now = new Date('2026-11-22T12:00:00Z');
    expect(filterRow(service(40, 30), now).hours).toHaveLength(31 + 1 + 39 * 30);
    expect(filterRow(service(400, 300), now).hours).toHaveLength(301 + 50_000);
  });

  it('may start a course in the far future', () => {
    const course: Schedule = { freq: 'WEEKLY', byday: 'MO', dtstart: '2999-12-30', count: 3 };
    expect(openingHours([course], today).others).toEqual([
      expect.objectContaining({ valid_from: '2999-12-30', weekday: 0 }),
    ]);
  });
});
