import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarDay } from '../../platform/clock/index.ts';
import { mailAddressIn } from '../../platform/mail/index.ts';
import { isWorkingDay } from '../../referrals/index.ts';
import { dueDates, oneMonthLater } from './request.ts';

const usual = { extraBankHolidays: [] };

describe('a month to answer', () => {
  it.each([
    ['2026-11-24', '2026-12-24', 'a Thursday'],
    ['2026-11-26', '2026-12-29', 'Boxing Day is on a Saturday, and has a day instead'],
    ['2026-01-31', '2026-03-02', 'the last day of February is a Saturday'],
    ['2027-02-28', '2027-03-30', 'Easter Monday is the 29th; the 28th is a Sunday'],
    ['2026-12-15', '2027-01-15', 'in the next year'],
  ])('begins on %s and ends on %s: %s', (from, until) => {
    expect(oneMonthLater(usual, calendarDay(from)!)).toBe(until);
  });

  it('ends a day later where the day is a bank holiday of one year', () => {
    const extraBankHolidays = ['2026-12-24'];
    expect(oneMonthLater({ extraBankHolidays }, calendarDay('2026-11-24')!)).toBe('2026-12-29');
  });

  it('is 28 days to six weeks, and ends on a working day', () => {
    const days = fc.integer({ min: 0, max: 365 * 40 });
    fc.assert(
      fc.property(days, (number) => {
        const from = new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10);
        const until = oneMonthLater(usual, calendarDay(from)!);
        const length = (Date.parse(until) - Date.parse(from)) / 86_400_000;
        expect(length).toBeGreaterThanOrEqual(28);
        expect(length).toBeLessThan(42);
        expect(isWorkingDay(usual, calendarDay(until)!)).toBe(true);
      }),
    );
  });
});

describe('a complaint', () => {
  it('is acknowledged within three working days, unlike others', () => {
    // A Friday afternoon.
    const at = new Date('2026-11-20T15:00:00Z');
    expect(dueDates(usual, 'complain', at)).toEqual({ dueOn: '2026-12-21', acknowledgeOn: '2026-11-25' });
    expect(dueDates(usual, 'copy', at).acknowledgeOn).toBeNull();
  });
});

describe('the data protection officer', () => {
  it.each([
    ['dpo@example.org', 'dpo@example.org'],
    ['Ann Hale, DPO@example.org.', 'dpo@example.org'],
    ['Ann Hale <dpo@example.org> (01632 960001)', 'dpo@example.org'],
    ['Ann Hale, 01632 960001', undefined],
    [undefined, undefined],
  ])('of the setting %s is told at %s', (setting, address) => {
    expect(mailAddressIn(setting)).toBe(address);
  });
});
