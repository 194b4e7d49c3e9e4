import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/app/runs.ts';
import { calendarDay, daysLater, localTime } from '../../../platform/clock/index.ts';
import { readSettings } from '../../../platform/settings/index.ts';
import type { Appointment } from '../after-acceptance/contacts.ts';
import type { Referral, ReferralStatus } from '../referral.ts';
import { datesWithUrgency, nextDateAfter } from './next-date.ts';
import { isWorkingDay } from './working-time.ts';

const noContact = { first_contact_at: null, content: {} };
const settings = readSettings({});
const dateAfter = (status: ReferralStatus, at: string, expected_date: string | null = null) =>
  nextDateAfter(
    settings,
    { ...noContact, status, expected_date, urgency: 'routine', due_at: null },
    new Date(at),
  );

describe('the next date', () => {
  it('is ten working days after an acceptance, over holidays', () => {
    expect(dateAfter('accepted', '2026-11-24T14:00:00Z')).toBe('2026-12-08');
    expect(dateAfter('accepted', '2026-12-18T10:00:00Z')).toBe('2027-01-06');
  });

  it('is in 28 days on a waiting list, or when a place is expected', () => {
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z')).toBe('2026-12-22');
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z', '2026-12-01')).toBe('2026-12-01');
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z', '2027-03-01')).toBe('2026-12-22');
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z', '2026-11-01')).toBe('2026-12-22');
  });

  it('is 90 days away in progress, by days in London', () => {
    expect(dateAfter('in-progress', '2026-11-24T14:00:00Z')).toBe('2027-02-22');
    // Half past midnight in London.
    expect(dateAfter('in-progress', '2027-03-31T23:30:00Z')).toBe('2027-06-30');
    expect(dateAfter('in-progress', '2027-10-31T00:30:00Z')).toBe('2028-01-28');
  });

  it('is a working day, and no later than the days allow', () => {
    // 28 days later is Christmas Day, then Boxing Day (a Saturday): the last working day before.
    expect(dateAfter('on-hold', '2026-11-27T10:00:00Z')).toBe('2026-12-24');
    expect(dateAfter('on-hold', '2026-11-28T10:00:00Z')).toBe('2026-12-24');
    // Easter Monday 2027 is 29 March, the day after the clocks change.
    expect(dateAfter('on-hold', '2027-03-01T10:00:00Z')).toBe('2027-03-25');
    expect(dateAfter('in-progress', '2026-12-29T10:00:00Z')).toBe('2027-03-25');
    // Half past midnight in London on Sunday, the day when the clocks change back.
    expect(dateAfter('on-hold', '2026-10-24T23:30:00Z')).toBe('2026-11-20');
    const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    const property = fc.property(day, fc.constantFrom('on-hold', 'in-progress'), (at, status) => {
      const next = calendarDay(dateAfter(status, at.toISOString())!)!;
      const latest = daysLater(localTime(at).day, status === 'on-hold' ? 28 : 90).date;
      expect([isWorkingDay(settings, next), next.date <= latest]).toEqual([true, true]);
    });
    fc.assert(property, { numRuns: runs(200) });
  });

  it('is a week away on the waiting list if the referral is urgent', () => {
    const waiting = { ...noContact, status: 'on-hold', urgency: 'urgent', due_at: null } as const;
    const urgentDateAfter = (expected_date: string | null, days?: string) =>
      nextDateAfter(
        days === undefined ? settings : readSettings({ ONWARD_WAITING_CHECK_DAYS: days }),
        { ...waiting, expected_date },
        new Date('2026-11-24T14:00:00Z'),
      );
    expect(urgentDateAfter(null)).toBe('2026-12-01');
    expect(urgentDateAfter('2027-03-01')).toBe('2026-12-01');
    expect(urgentDateAfter('2026-11-26')).toBe('2026-11-26');
    expect(urgentDateAfter(null, '3'), 'a shorter check for all').toBe('2026-11-27');
  });

  it('is the working day before a place at a weekend to come', () => {
    expect(dateAfter('on-hold', '2026-11-24T14:00:00Z', '2026-11-29')).toBe('2026-11-27');
    expect(dateAfter('on-hold', '2026-11-27T14:00:00Z', '2026-11-29'), 'set on Friday').toBe('2026-11-30');
  });

  it('is the working day after an appointment at a weekend', () => {
    const appointment = {
      id: 'a',
      at: '2026-11-28T10:00:00.000Z',
      kind: 'telephone',
      by: 'Ann',
      cancelled: false,
    };
    const accepted = {
      ...noContact,
      status: 'accepted',
      expected_date: null,
      urgency: 'routine',
      due_at: null,
    } as const;
    const content = { appointments: [appointment as Appointment] };
    expect(nextDateAfter(settings, { ...accepted, content }, new Date('2026-11-24T14:00:00Z'))).toBe(
      '2026-11-30',
    );
  });

  it('is not pushed back when an urgent referral is accepted', () => {
    const accepted = { status: 'accepted', expected_date: null, urgency: 'urgent' } as const;
    const dateFor = (due: string | null, at = '2026-11-24T14:00:00Z') =>
      nextDateAfter(
        settings,
        { ...noContact, ...accepted, due_at: due === null ? null : new Date(due) },
        new Date(at),
      );
    expect(dateFor('2026-11-25T17:00:00Z'), 'its own date').toBe('2026-11-25');
    expect(dateFor('2026-12-08T17:00:00Z'), 'it was routine at first').toBe('2026-11-26');
    expect(dateFor('2026-11-23T17:00:00Z'), 'it was answered late').toBe('2026-11-26');
    expect(dateFor(null)).toBe('2026-11-26');
  });

  it('ends with the referral', () => {
    for (const status of ['requested', 'rejected', 'completed', 'cancelled', 'failed'] as const)
      expect(dateAfter(status, '2026-11-24T14:00:00Z')).toBeNull();
  });
});

describe('a change of urgency', () => {
  const requested_at = new Date('2026-11-23T10:00:00Z');
  const at = new Date('2026-11-24T10:00:00Z');
  type Given = { status: Referral['status']; urgency: 'routine' | 'urgent'; due?: string; next?: string };
  function datesOf({ status, urgency, due = '2026-12-07T10:00:00Z', next }: Given, now = at) {
    const dates = { due_at: new Date(due), next_date: next ?? null };
    const referral = { status, urgency, ...dates, requested_at, content: {} as Referral['content'] };
    const to = urgency === 'routine' ? 'urgent' : 'routine';
    const { due_at, next_date } = datesWithUrgency(settings, referral, to, now);
    return [due_at!.toISOString().slice(0, 10), next_date];
  }

  it('brings the date of the answer forward if it becomes urgent', () => {
    expect(datesOf({ status: 'requested', urgency: 'routine' })).toEqual(['2026-11-26', null]);
    const soon = { status: 'requested', urgency: 'routine', due: '2026-11-25T10:00:00Z' } as const;
    expect(datesOf(soon)).toEqual(['2026-11-25', null]);
  });

  it.each([
    'accepted',
    'in-progress',
    'on-hold',
  ] as const)('brings the next date forward if it becomes urgent (%s)', (status) => {
    const far = { status, urgency: 'routine', next: '2027-02-22' } as const;
    expect(datesOf(far)).toEqual(['2026-12-07', '2026-11-26']);
    expect(datesOf({ ...far, next: '2026-11-25' })).toEqual(['2026-12-07', '2026-11-25']);
  });

  it('gains no time if it is made and undone', () => {
    const later = new Date('2026-12-01T10:00:00Z');
    const urgent = { status: 'requested', urgency: 'urgent', due: '2026-11-26T10:00:00Z' } as const;
    expect(datesOf(urgent, later)).toEqual(['2026-12-07', null]);
  });
});
