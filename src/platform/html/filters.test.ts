import { describe, expect, it } from 'vitest';
import { filters } from './filters.ts';

describe('a moment in words', () => {
  it.each([
    ['2026-11-21T09:30:00Z', '21 November 2026 at 9:30am'],
    ['2026-06-21T20:00:00Z', '21 June 2026 at 9pm'],
    ['2026-11-21T12:00:59Z', '21 November 2026 at midday'],
    ['2026-06-20T23:00:00Z', '21 June 2026 at midnight'],
    ['2026-11-21T00:30:00Z', '21 November 2026 at 12:30am'],
  ])('%s is %s', (moment, words) => {
    expect(filters.moment!(moment as never)).toBe(words);
  });
});

describe('a date in a table', () => {
  it.each([
    ['2026-11-23', '23 Nov'],
    ['2025-12-31T23:59:00Z', '31 Dec 2025'],
    ['2026-06-20T23:30:00Z', '21 Jun'],
  ])('%s is %s in November 2026', (date, words) => {
    expect(filters.shortDate!(date as never, new Date('2026-11-28T12:00:00Z') as never)).toBe(words);
  });
});

describe('a date that somebody typed', () => {
  it.each([
    [['10', '1', '1940'], '10 January 1940'],
    [['10', 'Jan', '1940'], '10 January 1940'],
    [['31', '2', '1940'], '31 2 1940'],
    [['', '', ''], ''],
  ])('%j is %s', (typed, words) => {
    expect(filters.typedDate!(...(typed as never[] as [never, never, never]))).toBe(words);
  });
});

describe('a number in a table', () => {
  // Somebody read “1550” beside “1,550” in a report, and asked whether they were two figures.
  it.each([
    [1550, '1,550'],
    [8, '8'],
    ['*', '*'],
    ['fewer than 8', 'fewer than 8'],
  ])('%s is %s', (value, words) => {
    expect(filters.grouped!(value as never)).toBe(words);
  });
});
