import { mainAddress, type Point, pointOf, readPostcode, type Service } from '../../library/index.ts';
import { type DrawnMap, drawMap, type Label } from './draw-map.ts';

/** A result as the map needs it. */
export type MapResult = { number: number; service: Service };

/** A service with very many places would hide the others. */
const maxPlaces = 10;

/**
 * A map of results, made only from what the site has, so that nobody else learns about the search. Town names are put in
 * the middle of their services, district names in the middle of their postcodes.
 */
export async function resultMap(
  results: readonly MapResult[],
  searched: Point | undefined,
  findDistrictCentres: (districts: readonly string[]) => Promise<ReadonlyMap<string, Point>>,
): Promise<DrawnMap | undefined> {
  const places = results.flatMap(({ number, service }) =>
    (service.service_at_locations ?? []).slice(0, maxPlaces).flatMap((at) => {
      const point = pointOf(at);
      const { city, postal_code = '' } = mainAddress(at.location) ?? {};
      return point ? [{ number, point, city, district: readPostcode(postal_code)?.district }] : [];
    }),
  );
  if (places.length === 0) return undefined;
  const towns = [...Map.groupBy(places, ({ city }) => city)].flatMap(([text, there]): Label[] =>
    text === undefined ? [] : [{ text, kind: 'town', ...middleOf(there.map(({ point }) => point)) }],
  );
  const names = new Set(places.flatMap(({ district }) => district ?? []));
  const centres = await findDistrictCentres([...names]);
  const districts = [...centres].map(([text, centre]): Label => ({ text, kind: 'district', ...centre }));
  return drawMap(places, searched, [...towns, ...districts]);
}

function middleOf(points: readonly Point[]): Point {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, each) => sum + of(each), 0) / points.length;
  return { latitude: mean((each) => each.latitude), longitude: mean((each) => each.longitude) };
}
