import { describe, expect, it } from 'vitest';
import { overdueCheckInWords } from './last-checked.ts';

describe('overdueCheckInWords', () => {
  it.each([
    ['2026-06-01', 180, undefined],
    ['2026-05-20', 180, 'Last checked over 6 months ago'],
    ['2026-11-01', 10, 'Last checked over 19 days ago'],
    ['2025-11-20', 180, 'Last checked over a year ago'],
    ['2024-03-14', 180, 'Last checked over 2 years ago'],
    ['2024-03-14', 3650, undefined],
    [undefined, 1, undefined],
    ['some day', 1, undefined],
  ])('says for %s, with a check every %i days: %s', (assured, reviewDays, words) => {
    expect(overdueCheckInWords(assured, '2026-11-21', reviewDays)).toBe(words);
  });
});
