import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/app/runs.ts';
import { boxesOverlap, drawMap } from './draw-map.ts';

const point = fc.record({
  latitude: fc.double({ min: 50, max: 59, noNaN: true }),
  longitude: fc.double({ min: -6, max: 1.7, noNaN: true }),
});

describe('the map of results', () => {
  it('has each number once, and hides no pin or label', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 25 }), fc.option(point), (points, searched) => {
        const places = points.map((each, index) => ({ number: (index % 20) + 1, point: each }));
        const labels = points.map((each) => ({ ...each, text: 'Sarrowby', kind: 'town' as const }));
        const map = drawMap(places, searched ?? undefined, labels);
        const shown = map.pins.flatMap(({ cells }) => cells.map(({ text }) => Number(text)));
        expect(new Set(shown)).toEqual(new Set(places.map(({ number }) => number)));
        for (const [index, { box }] of map.pins.entries()) {
          expect(box.left).toBeGreaterThanOrEqual(0);
          expect(box.right).toBeLessThanOrEqual(map.width);
          expect(box.top).toBeGreaterThanOrEqual(0);
          expect(box.bottom).toBeLessThanOrEqual(map.height);
          for (const other of map.pins.slice(index + 1)) expect(boxesOverlap(box, other.box)).toBe(false);
          for (const { x, y } of map.labels)
            expect(boxesOverlap(box, { left: x - 1, right: x + 1, top: y - 2, bottom: y })).toBe(false);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('spreads places that are close, each with a line to its place', () => {
    const middle = { latitude: 54, longitude: -2 };
    const far = { latitude: 54.5, longitude: -1.5 };
    const near = [0, 1, 2, 3, 4, 5].map((step) => ({ latitude: 54 + step / 50, longitude: -2 }));
    const places = [...near, far].map((each, index) => ({ number: index + 1, point: each }));
    const { pins } = drawMap(places, middle, []);
    expect(pins.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7].map((number) => [String(number)]),
    ]);
    for (const { x, y, stem } of pins) expect(Math.hypot(x - stem.x, y - stem.y)).toBeLessThan(130);
  });

  it('has one pin for places at the same spot', () => {
    const point = { latitude: 54, longitude: -2 };
    const places = [1, 2, 3].map((number) => ({ number, point }));
    const { pins } = drawMap(places, { latitude: 54.1, longitude: -2 }, []);
    expect(pins).toHaveLength(1);
    expect(pins[0]!.cells.map(({ text }) => text)).toEqual(['1', '2', '3']);
  });

  it('has north up, east right and a true scale', () => {
    const [south, north, east] = [
      { latitude: 54, longitude: -2 },
      { latitude: 54.05, longitude: -2 },
      { latitude: 54, longitude: -1.9 },
    ] as const;
    const { pins, scale } = drawMap(
      [south, north, east].map((point, index) => ({ number: index + 1, point })),
      undefined,
      [],
    );
    const at = (text: string) => pins.find(({ cells }) => cells[0]!.text === text)!;
    expect(at('2').y).toBeLessThan(at('1').y);
    expect(at('3').x).toBeGreaterThan(at('1').x);
    // A twentieth of a degree of latitude is 3.46 miles.
    expect(scale.text).toBe('1 mile');
    expect((at('1').y - at('2').y) / scale.length).toBeCloseTo(3.46, 1);
  });
});
