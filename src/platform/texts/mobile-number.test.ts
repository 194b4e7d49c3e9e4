import { describe, expect, it } from 'vitest';
import { readMobileNumber } from './index.ts';

describe('a UK mobile number', () => {
  it.each([
    '07700900123',
    '07700 900 123',
    '(07700) 900-123',
    '+447700900123',
    '+44 (0)7700 900123',
    '00447700900123',
  ])('is known in each way to write it, such as %s', (text) => {
    expect(readMobileNumber(text)).toBe('07700 900123');
  });

  it.each([
    ['a landline', '01632 960123'],
    ['one that is too short', '07700 90012'],
    ['one that is too long', '07700 9001234'],
    ['a personal number, which costs the caller', '07000 900123'],
    ['a pager', '07600 900123'],
    ['one of another country', '+33 6 12 34 56 78'],
    ['an email address', 'a@example.org'],
    ['nothing', undefined],
  ])('is not %s', (_, text) => {
    expect(readMobileNumber(text)).toBeUndefined();
  });

  it('may be of the Isle of Man', () => {
    expect(readMobileNumber('07624 123456')).toBe('07624 123456');
  });
});
