import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/app/runs.ts';
import { calendarDay, localTime } from '../../../platform/clock/index.ts';
import { addWorkingTime, isBankHoliday, londonMomentMs, type WorkingDays } from './working-time.ts';

/** From gov.uk/bank-holidays, without those that were proclaimed for one year alone. */
const published = [
  '2024-01-01 2024-03-29 2024-04-01 2024-05-06 2024-05-27 2024-08-26 2024-12-25 2024-12-26',
  '2025-01-01 2025-04-18 2025-04-21 2025-05-05 2025-05-26 2025-08-25 2025-12-25 2025-12-26',
  '2026-01-01 2026-04-03 2026-04-06 2026-05-04 2026-05-25 2026-08-31 2026-12-25 2026-12-28',
  '2027-01-01 2027-03-26 2027-03-29 2027-05-03 2027-05-31 2027-08-30 2027-12-27 2027-12-28',
  '2028-01-03 2028-04-14 2028-04-17 2028-05-01 2028-05-29 2028-08-28 2028-12-25 2028-12-26',
];

function bankHolidaysOf(year: string): string[] {
  const first = Date.parse(`${year}-01-01`);
  return Array.from({ length: 366 }, (_, day) =>
    new Date(first + day * 86_400_000).toISOString().slice(0, 10),
  )
    .filter((date) => date.startsWith(year))
    .map((date) => calendarDay(date)!)
    .filter((day) => day.weekday < 5 && isBankHoliday(day))
    .map(({ date }) => date);
}

const usual: WorkingDays = { extraBankHolidays: [] };
const later = (at: string, time: { days?: number; hours?: number }, workingDays = usual) =>
  addWorkingTime(workingDays, new Date(at), time).toISOString();

describe('bank holidays', () => {
  it.each(published)('are those that are published: %s', (dates) => {
    expect(bankHolidaysOf(dates.slice(0, 4)).join(' ')).toBe(dates);
  });
});

describe('working time', () => {
  it('goes on in the morning of the next working day', () => {
    expect(later('2026-11-24T14:00:00Z', { hours: 4 })).toBe('2026-11-25T10:00:00.000Z');
    expect(later('2026-11-24T14:00:00Z', { days: 1 })).toBe('2026-11-25T14:00:00.000Z');
    expect(later('2026-11-27T16:30:00Z', { hours: 1 })).toBe('2026-11-30T09:30:00.000Z');
  });

  it('begins in the morning for what arrives at night or weekends', () => {
    expect(later('2026-11-24T23:10:00Z', { hours: 4 })).toBe('2026-11-25T13:00:00.000Z');
    expect(later('2026-11-28T11:00:00Z', { days: 1 })).toBe('2026-11-30T17:00:00.000Z');
  });

  it('leaves out Christmas and New Year', () => {
    expect(later('2026-12-24T16:00:00Z', { hours: 4 })).toBe('2026-12-29T12:00:00.000Z');
    expect(later('2027-12-31T16:00:00Z', { days: 1 })).toBe('2028-01-04T16:00:00.000Z');
  });

  it('leaves out a bank holiday that was proclaimed for one year', () => {
    // As on 8 May 2023, for the coronation; the Monday before is one each year.
    const coronation = { extraBankHolidays: ['2023-05-08'] };
    const friday = '2023-05-05T15:00:00Z';
    expect(later(friday, { hours: 2 })).toBe('2023-05-08T09:00:00.000Z');
    expect(later(friday, { hours: 2 }, coronation)).toBe('2023-05-09T09:00:00.000Z');
    expect(later('2023-05-08T10:00:00Z', { days: 1 }, coronation)).toBe('2023-05-09T16:00:00.000Z');
  });

  it('follows London’s clock over both changes', () => {
    expect(later('2026-03-27T16:00:00Z', { hours: 2 })).toBe('2026-03-30T09:00:00.000Z');
    expect(later('2026-10-23T15:00:00Z', { hours: 2 })).toBe('2026-10-26T10:00:00.000Z');
  });

  it('reads a time late in the evening, in winter and in summer', () => {
    const at = (date: string) => new Date(londonMomentMs(calendarDay(date)!, 23 * 60 + 30)).toISOString();
    expect([at('2026-01-15'), at('2026-07-15')]).toEqual([
      '2026-01-15T23:30:00.000Z',
      '2026-07-15T22:30:00.000Z',
    ]);
  });

  it('adds up, and ends in office hours', () => {
    const moments = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2060-01-01'),
      noInvalidDate: true,
    });
    const hours = fc.integer({ min: 1, max: 200 });
    const property = fc.property(moments, hours, hours, (at, first, second) => {
      const whole = addWorkingTime(usual, at, { hours: first + second });
      expect(addWorkingTime(usual, addWorkingTime(usual, at, { hours: first }), { hours: second })).toEqual(
        whole,
      );
      const { day, minute } = localTime(whole);
      expect(day.weekday < 5 && !isBankHoliday(day) && minute >= 9 * 60 && minute <= 17 * 60).toBe(true);
    });
    fc.assert(property, { numRuns: runs(200) });
  });
});
