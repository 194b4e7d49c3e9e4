import { describe, expect, it } from 'vitest';
import { bydayCodes } from './week.ts';

describe('bydayCodes', () => {
  it.each([
    ['MO,TU', ['MO', 'TU']],
    ['mo, we;FR', ['MO', 'WE', 'FR']],
    ['1SA,-1FR,+2MO', ['1SA', '-1FR', '2MO']],
    ['Saturday', ['SA']],
    ['Sat', ['SA']],
    ['Tues, Thurs', ['TU', 'TH']],
    ['Mondays and Wednesdays', ['MO', 'WE']],
    ['Mon-Fri', ['MO', 'TU', 'WE', 'TH', 'FR']],
    ['FR to MO', ['FR', 'SA', 'SU', 'MO']],
    ['MO,MO', ['MO']],
    ['monthly', []],
    ['by appointment', []],
    ['', []],
  ])('reads %s', (byday, codes) => {
    expect(bydayCodes(byday)).toEqual(codes);
  });

  it('keeps few days of a megabyte', () => {
    const text = Array.from({ length: 99 }, (_, each) => `${each}MO,${each}SU`).join(',');
    expect(bydayCodes(text.repeat(1000)).length).toBeLessThanOrEqual(500);
  });
});
