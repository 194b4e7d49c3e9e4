import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTimes } from './times.ts';

const today = '2026-11-21';
const when = (...schedules: Parameters<typeof openTimes>[0] & object) =>
  openTimes(schedules, today).map((time) => time.when);
const weekly = { freq: 'WEEKLY', opens_at: '10:00', closes_at: '12:30' } as const;

describe('openTimes', () => {
  it.each([
    ['Tuesday and Thursday, 10am to 12:30pm', { ...weekly, byday: 'TU,TH' }],
    ['Monday to Friday, 10am to 12:30pm', { ...weekly, byday: 'MO,TU,WE,TH,FR' }],
    ['Monday, Tuesday and Friday, 10am to 12:30pm', { ...weekly, byday: 'FR,MO,TU' }],
    [
      'Every day, 24 hours',
      { freq: 'WEEKLY', byday: 'MO,TU,WE,TH,FR,SA,SU', opens_at: '00:00', closes_at: '23:59' },
    ],
    [
      'Every other week on Wednesday, midday to 2pm',
      { freq: 'WEEKLY', interval: 2, byday: 'WE', opens_at: '12:00:00Z', closes_at: '14:00:00Z' },
    ],
    ['First Saturday of the month, 10am to 12:30pm', { ...weekly, freq: 'MONTHLY', byday: '1SA' }],
    ['Last Friday of the month, from 9am', { freq: 'MONTHLY', byday: '-1FR', opens_at: '09:00' }],
    [
      'First Tuesday of every 3rd month, 10am to 12:30pm',
      { ...weekly, freq: 'MONTHLY', byday: '1TU', interval: 3 },
    ],
    ['2nd to last Friday of every other month', { freq: 'MONTHLY', byday: '-2FR', interval: 2 }],
    ['2nd and 15th of the month', { freq: 'MONTHLY', bymonthday: '2,15' }],
    ['5 December 2026, until midnight', { dtstart: '2026-12-05', closes_at: '00:00' }],
    [
      'Monday, 10am to 12:30pm, from 1 December 2026 until 27 March 2027',
      { ...weekly, byday: 'MO', valid_from: '2026-12-01', valid_to: '2027-03-27' },
    ],
    ['Tuesday, 10am to 12:30pm, from 2 March 2027', { ...weekly, byday: 'TU', dtstart: '2027-03-02' }],
    [
      'Tuesday, 10am to 12:30pm, until 22 December 2026',
      { ...weekly, byday: 'TU', dtstart: '2026-11-17', count: 6 },
    ],
    [
      'Tuesday, 10am to 12:30pm, until 1 December 2026',
      { ...weekly, byday: 'TU', valid_to: '2026-12-01', until: '2027-06-01' },
    ],
    ['By appointment', { description: 'By appointment' }],
    ['Friday, 5pm to 8:30pm', { freq: 'WEEKLY', byday: 'FR', opens_at: '5:00pm', closes_at: '8.30 p.m.' }],
    ['Friday, 9am to late', { freq: 'WEEKLY', byday: 'FR', opens_at: '9am', closes_at: 'late' }],
    ['Friday, by appointment', { byday: 'FR', opens_at: 'by appointment', closes_at: 'by appointment' }],
    ['Friday, 9am-5pm', { byday: 'FR', opens_at: '9am-5pm' }],
    ['Friday, 24 hours', { byday: 'Fri', opens_at: '12am', closes_at: 'midnight' }],
    ['Until 01/12/2026', { valid_to: '01/12/2026' }],
  ] as const)('%s', (words, schedule) => {
    expect(when(schedule)).toEqual([words]);
  });

  it('joins the parts of a day and leaves out ended times', () => {
    const afternoon = { ...weekly, byday: 'MO', opens_at: '13:30', closes_at: '16:00' };
    expect(
      when({ ...weekly, byday: 'MO' }, afternoon, { ...weekly, byday: 'TU', valid_to: '2026-11-20' }),
    ).toEqual(['Monday, 10am to 12:30pm and 1:30pm to 4pm']);
  });

  it('leaves out a day in the past, and a course that is over', () => {
    expect(when({ dtstart: '2026-01-05', opens_at: '10:00' })).toEqual([]);
    expect(when({ ...weekly, byday: 'TU', dtstart: '2026-01-06', count: 6 })).toEqual([]);
    expect(when({ ...weekly, byday: 'TU', valid_to: '2027-06-01', until: '2026-06-01' })).toEqual([]);
  });

  it('has words for whatever a feed writes', () => {
    const field = fc.oneof(
      fc.string(),
      fc.constantFrom('MO,TU', '-1FR', '9TU', '31', '-2', '10:00', '2026-12-05'),
    );
    const schedule = fc.record(
      {
        byday: field,
        bymonthday: field,
        opens_at: field,
        closes_at: field,
        dtstart: field,
        valid_from: field,
        interval: fc.integer(),
        freq: fc.constantFrom('WEEKLY' as const, 'MONTHLY' as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(schedule), (schedules) => {
        expect(when(...schedules).join()).not.toMatch(/undefined|NaN/);
      }),
    );
  });
});
