import { describe, expect, it } from 'vitest';
import { joinDate } from './read-form.ts';

describe('a date typed as day, month and year', () => {
  it.each([
    [['1950', '3', '3'], '1950-03-03'],
    [['1950', 'March', '3'], '1950-03-03'],
    [[' 1950 ', ' mar. ', ' 3 '], '1950-03-03'],
    [['2026', 'SEPT', '30'], '2026-09-30'],
    [['2026', 'May', '1'], '2026-05-01'],
    [['', '', ''], undefined],
  ])('%j is %s', (typed, date) => expect(joinDate(typed as [string, string, string])).toBe(date));

  // “Ju” is June or July, and “Marching” no month: the page says that it is not a real date.
  it.each(['Ju', 'Marching', '.'])('keeps “%s”, which is no month', (month) => {
    expect(joinDate(['1950', month, '3'])).toBe(`1950-${month.padStart(2, '0')}-03`);
  });
});
