import { describe, expect, it } from 'vitest';
import { isNhsNumber, isTestNhsNumber, nhsNumberError } from './nhs-number.ts';

function withCheckDigit(nine: string): string {
  return Array.from({ length: 10 }, (_, digit) => `${nine}${digit}`).find(isNhsNumber)!;
}

describe('an NHS number', () => {
  it('is ten digits, the last of them a check digit', () => {
    for (const number of [
      '9990000018',
      '9990000026',
      '9990000034',
      '9990000042',
      '9990000050',
      '9434765919',
    ]) {
      expect(isNhsNumber(number)).toBe(true);
    }
    for (const number of ['9990000019', '999000001', '99900000180', '', 'abcdefghij', '9434765910']) {
      expect(isNhsNumber(number)).toBe(false);
    }
    expect(isTestNhsNumber('9990000018')).toBe(true);
  });

  it('is a reserved one on a test site, and never on a live site', () => {
    const code = (number: string, mode: 'test' | 'live') => nhsNumberError(number, mode)?.code;
    expect(code('9990000018', 'test')).toBeUndefined();
    expect(code('9434765919', 'test')).toBe('real-number');
    expect(code('9990000018', 'live')).toBe('test-number');
    expect(code('4505577104', 'live')).toBeUndefined();
  });

  it.each([
    ['1503471238', 'chi-number'],
    ['3250000019', 'health-and-care-number'],
    ['5000000009', 'not-issued'],
    ['8000000008', 'not-issued'],
    ['9434765919', undefined],
    ['4505577104', undefined],
    ['6000000006', undefined],
    ['7000000007', undefined],
  ])('must be one of England or Wales on a live site: %s', (start, code) => {
    const number = withCheckDigit(start.slice(0, 9));
    expect(nhsNumberError(number, 'live')?.code).toBe(code);
  });
});
