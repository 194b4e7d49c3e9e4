import {
  type DistrictCell,
  mainAddress,
  type Point,
  pointOf,
  readPostcode,
  type Service,
} from '../../library/index.ts';
import { type DrawnMap, drawMap, type Label, type Outline } from './draw-map.ts';

/** A result as the map needs it. */
export type MapResult = { number: number; service: Service };

/** A place of a result, with the result's number in the list. */
type MapPlace = Point & { number: number; name: string; city: string | undefined };

type ResultMap = {
  places: readonly MapPlace[];
  /** Undefined where a drawing would not help: it would show one place. */
  drawn: DrawnMap | undefined;
};

/** Places of one service on the map. A service with very many would hide the others. */
const maxPlaces = 10;

/**
 * A map of results, made only from what the site has, so that nobody else learns about the search. Town names are put in
 * the middle of their services. A district is outlined by its postcodes, with its name in the middle of them.
 * @returns undefined if no result has a place
 */
export async function resultMap(
  results: readonly MapResult[],
  searched: Point | undefined,
  findDistrictCells: (districts: readonly string[]) => Promise<readonly DistrictCell[]>,
): Promise<ResultMap | undefined> {
  const found = results.flatMap(({ number, service }) =>
    (service.service_at_locations ?? []).slice(0, maxPlaces).flatMap((at) => {
      const point = pointOf(at);
      const { city, postal_code = '' } = mainAddress(at.location) ?? {};
      const place = { ...point!, number, name: service.name, city };
      return point ? [{ place, district: readPostcode(postal_code)?.district }] : [];
    }),
  );
  if (found.length === 0) return undefined;
  const places = found.map(({ place }) => place);
  const spots = new Set([...places, ...(searched ? [searched] : [])].map(roughly));
  if (spots.size < 2) return { places, drawn: undefined };
  const towns = [...Map.groupBy(places, ({ city }) => city)].flatMap(([text, there]): Label[] =>
    text === undefined ? [] : [{ text, kind: 'town', ...middleOf(there) }],
  );
  const districts = new Set(found.flatMap(({ district }) => district ?? []));
  const outlines = [...Map.groupBy(await findDistrictCells([...districts]), ({ district }) => district)].map(
    ([name, cells]): Outline => ({ name, centre: centreOf(cells), points: outlineOf(cells) }),
  );
  const names = outlines.map(({ name, centre }): Label => ({ text: name, kind: 'district', ...centre }));
  const pinned = places.map(({ number, ...point }) => ({ number, point }));
  return { places, drawn: drawMap(pinned, searched, [...towns, ...names], outlines) };
}

/** Points less than about a hundred metres apart are one spot on a drawing. */
function roughly({ latitude, longitude }: Point): string {
  return `${latitude.toFixed(3)} ${longitude.toFixed(3)}`;
}

/** Of all postcodes, so that most people of the district live around it. */
function centreOf(cells: readonly DistrictCell[]): Point {
  const total = cells.reduce((sum, { postcodes }) => sum + postcodes, 0);
  const mean = (of: (point: Point) => number) =>
    cells.reduce((sum, cell) => sum + of(cell) * cell.postcodes, 0) / total;
  return { latitude: mean((each) => each.latitude), longitude: mean((each) => each.longitude) };
}

function middleOf(points: readonly Point[]): Point {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, each) => sum + of(each), 0) / points.length;
  return { latitude: mean((each) => each.latitude), longitude: mean((each) => each.longitude) };
}

/** The convex hull of points, anticlockwise from the west (Andrew's monotone chain). */
function outlineOf(points: readonly Point[]): Point[] {
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
