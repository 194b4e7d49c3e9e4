import { mainAddress, type Point, pointOf, readPostcode, type Service } from '../../library/index.ts';
import { type DrawnMap, drawMap, type Label } from './draw-map.ts';

/** What of a result is on the map. */
export type Mapped = { number: number; service: Service };

/** A service that is everywhere would hide the others. */
const maxPlaces = 10;

/**
 * A map of results, made of what the site has itself: nobody else learns what was searched for. Towns are named where
 * the services in them are, and districts where the site's postcodes have their middle.
 */
export async function resultMap(
  results: readonly Mapped[],
  searched: Point | undefined,
  findDistrict: (district: string) => Promise<Point | undefined>,
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
  const districts = await Promise.all(
    [...names].map(async (text): Promise<Label[]> => {
      const middle = await findDistrict(text);
      return middle ? [{ text, kind: 'district', ...middle }] : [];
    }),
  );
  return drawMap(places, searched, [...towns, ...districts.flat()]);
}

function middleOf(points: readonly Point[]): Point {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, each) => sum + of(each), 0) / points.length;
  return { latitude: mean((each) => each.latitude), longitude: mean((each) => each.longitude) };
}
