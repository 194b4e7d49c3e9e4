import { describe, expect, it } from 'vitest';
import { isSkippedTime, momentFromField } from './moment-field.ts';

describe('a time typed into a field', () => {
  it.each([
    ['2026-11-24T10:30', '2026-11-24T10:30:00.000Z'],
    ['2026-07-24T00:15', '2026-07-23T23:15:00.000Z'],
    ['2027-03-28T00:59', '2027-03-28T00:59:00.000Z'],
    // The clocks go from 1 to 2 o’clock.
    ['2027-03-28T01:30', undefined],
    ['2027-03-28T02:00', '2027-03-28T01:00:00.000Z'],
    // This hour comes twice.
    ['2026-10-25T01:30', '2026-10-25T01:30:00.000Z'],
    ['2026-02-30T10:00', undefined],
    ['2026-11-24T25:00', undefined],
    ['2026-11-24T10:75', undefined],
    ['tomorrow', undefined],
  ])('%s in London is %s', (typed, moment) => expect(momentFromField(typed)).toBe(moment));

  it.each([
    ['2027-03-28T01:30', true],
    ['2027-03-28T02:30', false],
    ['2026-02-30T10:00', false],
    ['2026-11-24T25:00', false],
  ])('%s is skipped by the clocks: %s', (typed, skipped) => expect(isSkippedTime(typed)).toBe(skipped));
});
