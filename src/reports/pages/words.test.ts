import { describe, expect, it } from 'vitest';
import { valueInWords } from './words.ts';

type Figure = Parameters<typeof valueInWords>[0];

describe('the value of a figure in words', () => {
  it('says that it is too early where a period is not ripe', () => {
    const loop = { id: 'F4', unit: 'share', n: 55, value: null, low: null, high: null } as unknown as Figure;
    expect(valueInWords(loop, false)).toBe('Too early to say');
    expect(valueInWords(loop, true)).toBe('*');
    expect(valueInWords({ ...loop, value: 0.8 }, true)).toBe('80 %');
  });
});
