import { describe, expect, it } from 'vitest';
import { intervalInWords, valueInWords } from './words.ts';

type Figure = Parameters<typeof valueInWords>[0];

describe('the value of a figure in words', () => {
  it('says that it is too early where a period is not ripe', () => {
    const loop = { id: 'F4', unit: 'share', n: 55, value: null, low: null, high: null } as unknown as Figure;
    expect(valueInWords(loop, false)).toBe('Too early to say');
    expect(valueInWords(loop, true)).toBe('*');
    expect(valueInWords({ ...loop, value: 0.8 }, true)).toBe('80 %');
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
