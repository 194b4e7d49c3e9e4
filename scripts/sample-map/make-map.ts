import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { drawValley, type Feature, type Layers } from './ground.ts';
import { bounds, type Position } from './valley.ts';
import { type Tile, writePmtiles } from './write-pmtiles.ts';

const minZoom = 7;
/** Browsers draw larger scales from these tiles: at this zoom one unit of a tile is less than a metre. */
const maxZoom = 13;

/** The bytes of sample/map.pmtiles. @param postcodes sample/postcodes.csv */
export function makeSampleMap(postcodes: string): Buffer {
  const [, ...lines] = postcodes.trim().split('\n');
  const points = lines.map((line): Position => {
    const [, latitude, longitude] = line.split(',');
    return [Number(longitude), Number(latitude)];
  });
  const layers = drawValley(points);
  return writePmtiles(tilesOf(layers), bounds, {
    name: 'The valley of Sarrowby, made up',
    attribution: 'Made-up valley of the sample data',
    type: 'baselayer',
    vector_layers: Object.keys(layers).map((id) => ({ id, fields: {}, minzoom: minZoom, maxzoom: maxZoom })),
  });
}

/** Features that small scales leave out, as Protomaps does: their `min_zoom`. */
function tilesOf(layers: Layers): Tile[] {
  const tiles: Tile[] = [];
  for (let z = minZoom; z <= maxZoom; z++) {
    const indexes = Object.entries(layers).map(([name, features]) => ({
      name,
      index: new GeoJSONVT(
        { type: 'FeatureCollection', features: features.filter((each) => isShown(each, name, z)) as never },
        { maxZoom, tolerance: 2, extent: 4096, buffer: 64, indexMaxZoom: z, indexMaxPoints: 0 },
      ),
    }));
    const first = tileAt(bounds.west, bounds.north, z);
    const last = tileAt(bounds.east, bounds.south, z);
    for (let x = first.x; x <= last.x; x++)
      for (let y = first.y; y <= last.y; y++) {
        const parts = indexes.flatMap(({ name, index }) => {
          const tile = index.getTile(z, x, y);
          return tile && tile.features.length > 0 ? [[name, tile] as const] : [];
        });
        if (parts.length === 0) continue;
        tiles.push({ z, x, y, data: fromGeojsonVt(Object.fromEntries(parts), { version: 2, extent: 4096 }) });
      }
  }
  return tiles;
}

function isShown({ properties, geometry }: Feature, layer: string, z: number): boolean {
  const { min_zoom } = properties;
  if (layer === 'buildings') return z >= maxZoom;
  if (layer === 'water' && geometry.type === 'Polygon') return z >= 11;
  return typeof min_zoom !== 'number' || z >= min_zoom - 1;
}

/** The tile that has a point (Web Mercator). */
export function tileAt(longitude: number, latitude: number, z: number): { x: number; y: number } {
  const n = 2 ** z;
  const radians = (latitude * Math.PI) / 180;
  const x = ((longitude + 180) / 360) * n;
  const y = ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * n;
  return { x: Math.floor(x), y: Math.floor(y) };
}
