import { describe, expect, test } from 'vitest';
import { readSettings } from '../../platform/settings/index.ts';
import { nextDateAfter } from './next-date.ts';
import type { ReferralStatus } from './referral.ts';

const settings = readSettings({});
const dateAfter = (status: ReferralStatus, at: string, expected_date: string | null = null) =>
  nextDateAfter(settings, { status, expected_date }, new Date(at));

describe('the next date', () => {
  test('is ten working days after an acceptance, over holidays', () => {
    expect(dateAfter('accepted', '2026-11-24T14:00:00Z')).toBe('2026-12-08');
    expect(dateAfter('accepted', '2026-12-18T10:00:00Z')).toBe('2027-01-06');
  });

  test('is 28 days away on the waiting list, or when a place is expected', () => {
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z')).toBe('2026-12-22');
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z', '2026-12-01')).toBe('2026-12-01');
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z', '2027-03-01')).toBe('2026-12-22');
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z', '2026-11-01')).toBe('2026-12-22');
  });

  test('is 90 days away in progress, by days in London', () => {
    expect(dateAfter('in-progress', '2026-11-24T14:00:00Z')).toBe('2027-02-22');
    // Half past midnight in London.
    expect(dateAfter('in-progress', '2027-03-31T23:30:00Z')).toBe('2027-06-30');
    expect(dateAfter('in-progress', '2027-10-31T00:30:00Z')).toBe('2028-01-29');
  });

  test('ends with the referral', () => {
    for (const status of ['requested', 'rejected', 'completed', 'cancelled', 'failed'] as const)
      expect(dateAfter(status, '2026-11-24T14:00:00Z')).toBeNull();
  });
});
