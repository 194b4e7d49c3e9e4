import { describe, expect, it } from 'vitest';
import { intervalInWords, valueInWords } from './words.ts';

type Figure = Parameters<typeof valueInWords>[0];

describe('the value of a figure in words', () => {
  it('says that it is too early where a period is not ripe', () => {
    const loop = { id: 'F4', unit: 'share', n: 55, value: null, low: null, high: null } as unknown as Figure;
    expect(valueInWords(loop, { ripe: false, isRounded: true })).toBe('Too early to say');
    expect(valueInWords(loop, { ripe: true, isRounded: true })).toBe('*');
    expect(valueInWords({ ...loop, value: 0.8 }, { ripe: true, isRounded: true })).toBe('80 %');
  });

  it('is “about 100 %” where rounding made both counts equal', () => {
    const accepted = { id: 'F1', unit: 'share', n: 25, value: 1, low: null, high: null } as unknown as Figure;
    expect(valueInWords(accepted, { ripe: true, isRounded: true })).toBe('about 100 %');
    expect(valueInWords(accepted, { ripe: true, isRounded: false })).toBe('100 %');
  });

  it('is never no days at all, if there was any time', () => {
    const days = { id: 'T1', unit: 'days', n: 55, value: 0.01, low: null, high: null } as unknown as Figure;
    expect(valueInWords(days, { ripe: true, isRounded: true })).toBe('less than 0.1');
    expect(valueInWords({ ...days, value: 0 }, { ripe: true, isRounded: true })).toBe('0');
  });
});

describe('the likely range in words', () => {
  it('is not said where it would have half of all percentages', () => {
    const share = { id: 'F1', unit: 'share', n: 10, value: 0.5 } as unknown as Figure;
    expect(intervalInWords({ ...share, low: 0.236593, high: 0.763407 })).toBe('Too few to say');
    expect(intervalInWords({ ...share, low: 0.3, high: 0.7 })).toBe('30 % to 70 %');
    expect(intervalInWords({ ...share, low: null, high: null })).toBe('');
  });
});
