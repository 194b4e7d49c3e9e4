import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { survivalQuantile, wilson } from './statistics.ts';

describe('the Kaplan–Meier quantile', () => {
  it('is the value of a worked example', () => {
    // Freireich’s 21 patients on 6-mercaptopurine: the median remission is 23 weeks.
    const events = [6, 6, 6, 7, 10, 13, 16, 22, 23];
    const censored = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35];
    const times = [
      ...events.map((at) => ({ at, events: 1, censored: 0 })),
      ...censored.map((at) => ({ at, events: 0, censored: 1 })),
    ];
    const at = [...new Set(times.map((each) => each.at))].map((each) => ({
      at: each,
      events: events.filter((time) => time === each).length,
      censored: censored.filter((time) => time === each).length,
    }));
    expect(survivalQuantile(at, 0.5)).toBe(23);
    expect(survivalQuantile(at, 0.9)).toBeNull();
    expect(survivalQuantile([], 0.5)).toBeNull();
  });

  it('without censoring is the order statistic', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 }), (values) => {
        const times = [...Map.groupBy(values, (each) => each)].map(([at, same]) => ({
          at,
          events: same.length,
          censored: 0,
        }));
        const sorted = values.toSorted((one, other) => one - other);
        expect(survivalQuantile(times, 0.5)).toBe(sorted[Math.ceil(values.length / 2) - 1]);
      }),
    );
  });

  it('is known once that share has had the event', () => {
    const timed = fc.record({
      at: fc.integer({ min: 0, max: 30 }),
      events: fc.integer({ min: 0, max: 3 }),
      censored: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(timed, { selector: ({ at }) => at, minLength: 1 }),
        fc.constantFrom(0.5, 0.9),
        (times, share) => {
          const events = times.reduce((sum, each) => sum + each.events, 0);
          const all = times.reduce((sum, each) => sum + each.events + each.censored, 0);
          if (events > 0 && events >= share * all) expect(survivalQuantile(times, share)).not.toBeNull();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('never gets better because somebody still waits', () => {
    const timed = fc.record({
      at: fc.integer({ min: 0, max: 30 }),
      events: fc.integer({ min: 0, max: 3 }),
      censored: fc.constant(0),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(timed, { selector: ({ at }) => at, minLength: 1 }),
        fc.integer({ min: 1, max: 5 }),
        (times, waiting) => {
          const without = survivalQuantile(times, 0.5);
          const withThem = survivalQuantile([...times, { at: 99, events: 0, censored: waiting }], 0.5);
          expect(withThem === null || (without !== null && withThem >= without)).toBe(true);
        },
      ),
    );
  });
});

describe('Wilson’s interval', () => {
  it('is the value of a worked example, and holds the share', () => {
    const { low, high } = wilson(81, 263);
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.2553', '0.3662']);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(1000), (n, seed) => {
        const count = seed % (n + 1);
        const interval = wilson(count, n);
        expect(interval.low).toBeGreaterThanOrEqual(0);
        expect(interval.high).toBeLessThanOrEqual(1);
        expect(interval.low).toBeLessThanOrEqual(count / n + 1e-12);
        expect(interval.high).toBeGreaterThanOrEqual(count / n - 1e-12);
      }),
    );
  });
});
