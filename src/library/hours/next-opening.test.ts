import { describe, expect, it } from 'vitest';
import { localTime } from '../../platform/clock/index.ts';
import type { Schedule } from '../model/service.ts';
import { openingInWords } from '../view/times.ts';
import { nextOpening, type WantedTimes } from './next-opening.ts';
import { serviceHours } from './opening-hours.ts';

/** What the page shows at a moment. 21 November 2026 is a Saturday. */
function said(schedules: Partial<Schedule>[], moment: string, wanted?: WantedTimes): string | undefined {
  const now = localTime(new Date(moment));
  const service = { id: 'x', name: 'x', status: 'active' as const, schedules: schedules as Schedule[] };
  const opening = nextOpening(serviceHours(service, now.day.date), now, wanted);
  return opening && openingInWords(opening, now.minute);
}

const weekdays = { freq: 'WEEKLY', byday: 'MO,TU,WE', opens_at: '10:00', closes_at: '12:00' } as const;
const nights = { freq: 'WEEKLY', byday: 'SA', opens_at: '22:00', closes_at: '02:00' } as const;
const thirdFriday = { freq: 'MONTHLY', byday: '3FR', opens_at: '14:00', closes_at: '16:00' } as const;

/** On Tuesdays from 3 November. */
const course = {
  freq: 'WEEKLY',
  byday: 'TU',
  dtstart: '2026-11-03',
  opens_at: '18:00',
  closes_at: '20:00',
} as const;

const wordy = { freq: 'WEEKLY', byday: 'TU', opens_at: '5:00pm', closes_at: '8pm' } as const;
const late = { freq: 'WEEKLY', byday: 'TU', opens_at: '9am', closes_at: 'late' } as const;

describe('nextOpening', () => {
  it.each([
    ['in an evening of words', [wordy], '2026-11-24T17:30:00Z', 'Open now, until 8pm'],
    ['on its morning', [wordy], '2026-11-24T05:30:00Z', 'Open today, 5pm to 8pm'],
    ['where its end is a word', [late], '2026-11-24T23:00:00Z', 'Open today'],
    ['before it opens', [weekdays], '2026-11-24T09:00:00Z', 'Open today, 10am to midday'],
    ['while it is open', [weekdays], '2026-11-24T10:00:00Z', 'Open now, until midday'],
    ['at the minute it closes', [weekdays], '2026-11-24T12:00:00Z', 'Open tomorrow, 10am to midday'],
    ['after the week’s last', [weekdays], '2026-11-25T12:00:00Z', 'Open Monday, 10am to midday'],
    ['in summer time', [weekdays], '2026-07-20T09:30:00Z', 'Open now, until midday'],
    ['past midnight', [nights], '2026-11-22T01:30:00Z', 'Open now, until 2am'],
    ['a week from now', [nights], '2026-11-22T02:00:00Z', 'Open Saturday, 10pm to 2am'],
    ['once a month', [thirdFriday], '2026-11-21T12:00:00Z', 'Open Friday 18 December, 2pm to 4pm'],
    ['the earlier of two', [nights, weekdays], '2026-11-23T08:00:00Z', 'Open today, 10am to midday'],
    [
      'round the clock',
      [{ opens_at: '00:00', closes_at: '24:00', byday: 'MO,TU,WE,TH,FR,SA,SU' }],
      '2026-11-21T12:00:00Z',
      'Open now, all day',
    ],
    [
      'round the clock, written to 23:59',
      [{ opens_at: '00:00', closes_at: '23:59', byday: 'MO,TU,WE,TH,FR,SA,SU' }],
      '2026-11-21T12:00:00Z',
      'Open now, all day',
    ],
    [
      'a whole day to come',
      [{ opens_at: '00:00', closes_at: '23:59', byday: 'MO' }],
      '2026-11-22T12:00:00Z',
      'Open tomorrow, all day',
    ],
    ['a day without times', [{ freq: 'WEEKLY', byday: 'SU' }], '2026-11-21T12:00:00Z', 'Open tomorrow'],
    ['what has ended', [{ ...weekdays, valid_to: '2026-11-20' }], '2026-11-21T12:00:00Z', undefined],
    [
      'a course before its last time',
      [{ ...course, count: 4 }],
      '2026-11-21T12:00:00Z',
      'Open Tuesday, 6pm to 8pm',
    ],
    ['a course after its last time', [{ ...course, count: 3 }], '2026-11-21T12:00:00Z', undefined],
    ['a course every other week', [{ ...course, count: 2, interval: 2 }], '2026-11-21T12:00:00Z', undefined],
    [
      'a course of two evenings a week',
      [{ ...course, byday: 'TU,TH', count: 6 }],
      '2026-11-20T12:00:00Z',
      undefined,
    ],
    [
      'once a month for a number of months',
      [{ ...thirdFriday, dtstart: '2026-09-01', count: 3 }],
      '2026-11-21T12:00:00Z',
      undefined,
    ],
    ['nothing known', [], '2026-11-21T12:00:00Z', undefined],
  ])('finds %s', (_, schedules, moment, words) => {
    expect(said(schedules as Partial<Schedule>[], moment)).toBe(words);
  });

  const evenings = { ...weekdays, opens_at: '18:00', closes_at: '20:00' } as const;
  const evening = { from: 17 * 60, to: 24 * 60 };

  it.each([
    ['another day', { weekdays: [1] }, 'Open Tuesday, 10am to midday'],
    ['a part of the day', evening, 'Open Monday, 6pm to 8pm'],
    ['that part of that day', { weekdays: [1], ...evening }, 'Open Tuesday, 6pm to 8pm'],
    ['a time at which it never opens', { from: 13 * 60, to: 17 * 60 }, undefined],
  ])('finds what fits %s', (_, wanted, words) => {
    expect(said([weekdays, evenings], '2026-11-21T12:00:00Z', wanted)).toBe(words);
  });

  it('counts a day without times as open at any time', () => {
    expect(said([{ freq: 'WEEKLY', byday: 'SU' }], '2026-11-21T12:00:00Z', evening)).toBe('Open tomorrow');
  });
});
