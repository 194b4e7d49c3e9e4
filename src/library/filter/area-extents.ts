import type { Service } from '../model/service.ts';

/** An area as PostgreSQL polygons: its outline and its holes. The outline is null if the source gives none that can be read. */
export type AreaExtent = { extent: string | null; holes: readonly string[] };

const maxCorners = 20_000;

/** The outlines of the areas that a service covers. Empty if no area has one: then outlines say nothing about a place. */
export function areaExtents({ service_areas = [] }: Service): AreaExtent[] {
  const extents = service_areas.flatMap(({ extent }): AreaExtent[] => {
    const polygons = polygonsOf(parseGeoJson(extent));
    return polygons.length > 0 ? polygons : [{ extent: null, holes: [] }];
  });
  return extents.some(({ extent }) => extent !== null) ? extents : [];
}

/** HSDS allows several text formats for an extent. Only GeoJSON is read here. */
function parseGeoJson(extent: string | undefined): unknown {
  if (extent === undefined || !extent.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(extent);
  } catch {
    return undefined;
  }
}

function polygonsOf(value: unknown): AreaExtent[] {
  const { type, coordinates, geometry, geometries, features } = (value ?? {}) as Record<string, unknown>;
  switch (type) {
    case 'Polygon':
      return polygonOf(coordinates);
    case 'MultiPolygon':
      return listOf(coordinates).flatMap(polygonOf);
    case 'Feature':
      return polygonsOf(geometry);
    case 'GeometryCollection':
      return listOf(geometries).flatMap(polygonsOf);
    case 'FeatureCollection':
      return listOf(features).flatMap(polygonsOf);
    default:
      return [];
  }
}

function polygonOf(rings: unknown): AreaExtent[] {
  const [extent, ...holes] = listOf(rings).map(ringOf);
  return extent === undefined ? [] : [{ extent, holes: holes.filter((hole) => hole !== undefined) }];
}

function ringOf(ring: unknown): string | undefined {
  const corners = listOf(ring);
  if (corners.length < 3 || corners.length > maxCorners || !corners.every(isCorner)) return undefined;
  return `(${corners.map(([longitude, latitude]) => `(${longitude},${latitude})`).join(',')})`;
}

function isCorner(corner: unknown): corner is [number, number] {
  const [longitude, latitude] = listOf(corner);
  return typeof longitude === 'number' && typeof latitude === 'number';
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
