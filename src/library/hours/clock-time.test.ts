import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/app/runs.ts';
import { clockTime, minuteOf } from './clock-time.ts';

const asClock = (text: string) => {
  const minute = minuteOf(text);
  return minute === undefined ? undefined : clockTime(minute);
};

describe('a time as directories write it', () => {
  it.each([
    ['5:00pm', '17:00'],
    ['5pm', '17:00'],
    ['5 PM', '17:00'],
    ['5.30pm', '17:30'],
    ['530pm', '17:30'],
    ['05:00:00 PM', '17:00'],
    ['8:30 a.m.', '08:30'],
    ['8:30 AM', '08:30'],
    [' 8.30\u00a0am ', '08:30'],
    ['12am', '00:00'],
    ['12:30 am', '00:30'],
    ['12pm', '12:00'],
    ['12.15pm', '12:15'],
    ['17:00pm', '17:00'],
    ['noon', '12:00'],
    ['12 noon', '12:00'],
    ['12.00 Midday', '12:00'],
    ['midnight', '00:00'],
    ['12 midnight', '00:00'],
    ['9:30', '09:30'],
    ['9.30', '09:30'],
    ['0830', '08:30'],
    ['1730hrs', '17:30'],
    ['17:00:00', '17:00'],
    ['17:00Z', '17:00'],
    ['17:00:00.000Z', '17:00'],
    ['17:00+01:00', '17:00'],
    ['00:00', '00:00'],
    ['24:00', '24:00'],
    ['2400', '24:00'],
  ])('%s is read as %s', (text, time) => {
    expect(asClock(text)).toBe(time);
  });

  it.each([
    ...['', 'by appointment', 'late', 'dusk', 'TBC', '9', '17', '830', '5 o’clock', '9am-5pm', 'from 9am'],
    ...['9:9am', '9:60', '25:00', '24:01', '24:00:01', '2401', '13am', '0pm', '0:30pm', '17:00am', '24pm'],
    ...[
      '09:00-12:00',
      '20:00-02:00',
      '09:00-05:00',
      '22:00-00:00',
      '09:00 - 12:00',
      '17:00+15:00',
      '17:0',
      '5:00 xm',
      '5p',
      '-5pm',
      '5:00pm Tuesday',
    ],
  ])('“%s” cannot be read', (text) => {
    expect(asClock(text)).toBeUndefined();
  });
});

describe('whatever is written', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const onTwelve = (hour: number) => hour % 12 || 12;
  const two = (number: number) => String(number).padStart(2, '0');
  const writers: readonly ((hour: number, minute: number) => string)[] = [
    (h, m) => `${two(h)}:${two(m)}`,
    (h, m) => `${h}:${two(m)}`,
    (h, m) => `${h}.${two(m)}`,
    (h, m) => `${two(h)}${two(m)}`,
    (h, m) => `${two(h)}:${two(m)}:00Z`,
    (h, m) => `${two(h)}:${two(m)}:59+0100`,
    (h, m) => `${onTwelve(h)}:${two(m)}${h < 12 ? 'am' : 'pm'}`,
    (h, m) => `${two(onTwelve(h))}.${two(m)} ${h < 12 ? 'A.M.' : 'P.M.'}`,
    (h, m) => `${onTwelve(h)}${two(m)}${h < 12 ? 'Am' : 'Pm'}`,
    (h, m) =>
      m === 0 ? `${onTwelve(h)} ${h < 12 ? 'am' : 'pm'}` : `${onTwelve(h)}:${two(m)}${h < 12 ? 'am' : 'pm'}`,
  ];

  it('every minute of the day is read in every form', () => {
    for (let each = 0; each < 1440; each += 1) {
      for (const write of writers) {
        const text = write(Math.floor(each / 60), each % 60);
        expect(minuteOf(text), text).toBe(each);
      }
    }
  });

  it('an afternoon is never read as a morning, or the reverse', () => {
    const piece = fc.oneof(
      fc.constantFrom('12', '0', '00', '24', ':', '.', ' ', 'T', 'Z', '-', '+', 'noon'),
      fc.nat({ max: 2500 }).map(String),
      fc.string({ maxLength: 3 }),
    );
    const beginning = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const half = fc.constantFrom('am', 'AM', 'a.m.', ' a. m.', 'pm', 'PM', ' p.m', 'p.m.');
    fc.assert(
      fc.property(beginning, half, (text, end) => {
        const read = minuteOf(text + end);
        if (read === undefined) return true;
        return /p/i.test(end) ? read >= 720 && read < 1440 : read < 720;
      }),
      { numRuns: runs(5000) },
    );
  });

  it('no text throws, and every result can be read again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[0-9:. apmzAPMZT+-]{0,20}$/),
      minute.map(clockTime),
    );
    fc.assert(
      fc.property(text, (each) => {
        const read = minuteOf(each);
        if (read === undefined) return true;
        return Number.isInteger(read) && read >= 0 && read <= 1440 && minuteOf(clockTime(read)) === read;
      }),
      { numRuns: runs(5000) },
    );
    expect(minuteOf('1'.repeat(1_000_000))).toBeUndefined();
    expect(minuteOf(undefined)).toBeUndefined();
  });
});
