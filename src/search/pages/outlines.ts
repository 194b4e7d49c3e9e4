import type { Point } from '../../library/index.ts';

/** The convex hull of points, anticlockwise from the west (Andrew's monotone chain). */
export function outlineOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(
    (one, other) => one.longitude - other.longitude || one.latitude - other.latitude,
  );
  if (sorted.length < 3) return sorted;
  const half = (along: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of along) {
      while (chain.length >= 2 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    // Its end is the beginning of the other half.
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** More than 0 if the way from one over the next to the last turns left. */
function turn(one: Point, next: Point, last: Point): number {
  return (
    (next.longitude - one.longitude) * (last.latitude - one.latitude) -
    (next.latitude - one.latitude) * (last.longitude - one.longitude)
  );
}
