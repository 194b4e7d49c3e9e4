import {
  areas,
  bounds,
  mainRoads,
  type Position,
  places,
  rivers,
  streets,
  type ValleyLine,
} from './valley.ts';

type Properties = Readonly<Record<string, string | number | boolean>>;
export type Feature = {
  type: 'Feature';
  properties: Properties;
  geometry:
    | { type: 'Point'; coordinates: Position }
    | { type: 'LineString'; coordinates: Position[] }
    | { type: 'Polygon'; coordinates: Position[][] };
};

/** The layers of a map, by the names that Protomaps' basemap has: https://docs.protomaps.com/basemaps/layers */
export type Layers = Readonly<Record<string, readonly Feature[]>>;

const metresPerDegree = 111_320;
/** One factor is right for the whole valley. */
const eastwards = metresPerDegree * Math.cos((54.05 * Math.PI) / 180);

/** @param postcodes the places of postcodes; each gets a street, so that people see where somebody lives */
export function drawValley(postcodes: readonly Position[]): Layers {
  const roads = [...mainRoads, ...streets].map((road) => ({ ...road, points: smooth(road.points) }));
  const lanes = connect(
    postcodes,
    roads.filter(({ kind }) => kind !== 'rail'),
  );
  const courses = rivers.map((river) => ({ ...river, points: smooth(river.points) }));
  return {
    earth: [polygon({ kind: 'earth' }, corners())],
    landuse: areas.map(({ points, ...about }) => polygon(about, smooth([...points, points[0]!]))),
    water: courses.flatMap(({ points, metresWide, ...about }) => [
      line(about, points),
      ...(metresWide > 0 ? [polygon({ kind: 'river' }, banks(points, metresWide))] : []),
    ]),
    roads: [...roads, ...lanes].map(({ points, ...about }) =>
      line({ ...detail(about.kind), ...about }, points),
    ),
    buildings: postcodes.flatMap((point) => housesAt(point)),
    places: places.map(({ name, kind, at }) => ({
      type: 'Feature',
      properties: { name, ...placeRanks[kind] },
      geometry: { type: 'Point', coordinates: at },
    })),
  };
}

/** The style sorts names by these, and larger places have larger names. */
const placeRanks = {
  town: { kind: 'locality', kind_detail: 'town', population_rank: 9, min_zoom: 6, sort_rank: 1 },
  village: { kind: 'locality', kind_detail: 'village', population_rank: 3, min_zoom: 9, sort_rank: 2 },
  quarter: { kind: 'neighbourhood', kind_detail: 'quarter', population_rank: 1, min_zoom: 12, sort_rank: 3 },
} as const;

function detail(kind: string): Properties {
  const details: Readonly<Record<string, string>> = { major_road: 'primary', rail: 'rail' };
  return { kind_detail: details[kind] ?? 'residential', min_zoom: kind === 'minor_road' ? 11 : 7 };
}

function line(properties: Properties, points: readonly Position[]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'LineString', coordinates: [...points] } };
}

function polygon(properties: Properties, ring: Position[]): Feature {
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
}

function corners(): Position[] {
  const { west, south, east, north } = bounds;
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Cuts each corner twice (Chaikin), which makes a bend of it. The ends stay. */
function smooth(points: readonly Position[]): Position[] {
  let line = [...points];
  for (const _ of [1, 2]) {
    const cut = line.slice(0, -1).flatMap((from, index) => {
      const to = line[index + 1]!;
      return [between(from, to, 0.25), between(from, to, 0.75)];
    });
    line = [line[0]!, ...cut, line.at(-1)!];
  }
  return line;
}

function between([x1, y1]: Position, [x2, y2]: Position, share: number): Position {
  return [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
}

function metresApart([x1, y1]: Position, [x2, y2]: Position): number {
  return Math.hypot((x2 - x1) * eastwards, (y2 - y1) * metresPerDegree);
}

/** Both banks of a river, as a ring. It is narrow at its source. */
function banks(points: readonly Position[], metresWide: number): Position[] {
  const sides = points.map((point, index) => {
    const [x1, y1] = points[Math.max(index - 1, 0)]!;
    const [x2, y2] = points[Math.min(index + 1, points.length - 1)]!;
    const [along, up] = [(x2 - x1) * eastwards, (y2 - y1) * metresPerDegree];
    const half = ((metresWide / 2) * Math.min(1, 0.3 + index / points.length)) / Math.hypot(along, up);
    const [x, y] = point;
    const [right, down] = [(up * half) / eastwards, (along * half) / metresPerDegree];
    return { left: [x - right, y + down] as Position, right: [x + right, y - down] as Position };
  });
  const left = sides.map((side) => side.left);
  const right = sides.map((side) => side.right).toReversed();
  return [...left, ...right, left[0]!];
}

const nearRoadMetres = 25;

/** Lanes to places that no road reaches, each from the nearest road or lane that is there already (Prim's algorithm). */
function connect(towards: readonly Position[], roads: readonly ValleyLine[]): ValleyLine[] {
  const reached = roads.flatMap(({ points }) => densify(points));
  const lanes: ValleyLine[] = [];
  const left = towards.map((point) => ({ point, ...nearest(point, reached) }));
  while (left.length > 0) {
    left.sort((one, other) => other.metres - one.metres);
    const { point, from, metres } = left.pop()!;
    if (metres < nearRoadMetres) continue;
    const lane: ValleyLine = { kind: 'minor_road', points: [from, point] };
    lanes.push(lane);
    const added = densify(lane.points);
    for (const each of left) {
      const closer = nearest(each.point, added);
      if (closer.metres < each.metres) Object.assign(each, closer);
    }
  }
  return lanes;
}

function nearest(to: Position, points: readonly Position[]): { from: Position; metres: number } {
  let best = { from: points[0]!, metres: Infinity };
  for (const from of points) {
    const metres = metresApart(from, to);
    if (metres < best.metres) best = { from, metres };
  }
  return best;
}

/** A point every 30 metres or so. */
function densify(points: readonly Position[]): Position[] {
  return points.flatMap((from, index) => {
    const to = points[index + 1];
    if (!to) return [from];
    const steps = Math.ceil(metresApart(from, to) / 30);
    return Array.from({ length: steps }, (_, step) => between(from, to, step / steps));
  });
}

const houseMetres = 9;

/** Six houses around the middle of a postcode, in two rows. */
function housesAt([x, y]: Position): Feature[] {
  return [-1, 0, 1].flatMap((along) =>
    [-1, 1].map((side) => {
      const [east, north] = [along * 22, side * 16];
      const corner = (dx: number, dy: number): Position => [
        x + (east + dx * houseMetres) / eastwards,
        y + (north + dy * houseMetres * 0.7) / metresPerDegree,
      ];
      const ring = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
      return polygon({ kind: 'building', height: 6 }, ring);
    }),
  );
}
