import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { makeSampleMap, tileAt } from '../../scripts/sample-map/make-map.ts';
import { writePmtiles } from '../../scripts/sample-map/write-pmtiles.ts';

// The map of the sample valley, read as browsers read it: by the pmtiles package.

const sample = join(import.meta.dirname, '..', '..', 'sample');

function open(file: Uint8Array): PMTiles {
  const bytes = Uint8Array.from(file);
  return new PMTiles({
    getKey: () => 'map',
    getBytes: async (offset, length) => ({ data: bytes.buffer.slice(offset, offset + length) }),
  });
}

/** All tiles around the valley, by zoom, column and row. */
async function tilesOf(map: PMTiles): Promise<Map<string, Buffer>> {
  const tiles = new Map<string, Buffer>();
  for (let z = 7; z <= 13; z++) {
    const [first, last] = [tileAt(-2.5, 54.3, z), tileAt(-1.8, 53.8, z)];
    for (let x = first.x; x <= last.x; x++)
      for (let y = first.y; y <= last.y; y++) {
        const tile = await map.getZxy(z, x, y);
        if (tile) tiles.set(`${z}/${x}/${y}`, Buffer.from(tile.data));
      }
  }
  return tiles;
}

describe('a PMTiles file of ours', () => {
  it('gives back each tile, its area and what it says of itself', async () => {
    const tiles = [
      { z: 3, x: 7, y: 0, data: Buffer.from('east') },
      { z: 3, x: 0, y: 0, data: Buffer.from('same') },
      { z: 3, x: 0, y: 1, data: Buffer.from('same') },
      { z: 14, x: 16_000, y: 5_400, data: Buffer.from('deep') },
      { z: 3, x: 6, y: 0, data: Buffer.from('same') },
    ];
    const bounds = { west: -2.5, south: -54.25, east: 1.75, north: 55 };
    const map = open(writePmtiles(tiles, bounds, { attribution: 'us' }));
    for (const { z, x, y, data } of tiles)
      expect(Buffer.from((await map.getZxy(z, x, y))!.data)).toEqual(data);
    expect(await map.getZxy(3, 1, 1)).toBeUndefined();
    expect(await map.getMetadata()).toEqual({ attribution: 'us' });
    expect(await map.getHeader()).toMatchObject({
      minLon: -2.5,
      minLat: -54.25,
      maxLon: 1.75,
      maxLat: 55,
      minZoom: 3,
      maxZoom: 14,
      numAddressedTiles: 5,
      numTileContents: 3,
    });
  });
});

describe('the map of the sample valley', () => {
  it('is what its script makes (npm run -s sample-map)', async () => {
    const kept = open(readFileSync(join(sample, 'map.pmtiles')));
    const made = open(makeSampleMap(readFileSync(join(sample, 'postcodes.csv'), 'utf8')));
    const tiles = await tilesOf(kept);
    expect(tiles.size).toBe((await kept.getHeader()).numAddressedTiles);
    expect(await tilesOf(made)).toEqual(tiles);
    expect(await kept.getHeader()).toMatchObject({ minZoom: 7, maxZoom: 13 });
  });

  it('has the layers that the style draws, and the valley’s names', async () => {
    const map = open(readFileSync(join(sample, 'map.pmtiles')));
    const { data } = (await map.getZxy(10, 505, 328))!;
    const { layers } = new VectorTile(new PbfReader(new Uint8Array(data)));
    expect(Object.keys(layers).toSorted()).toEqual(['earth', 'landuse', 'places', 'roads', 'water']);
    const names = Array.from(
      { length: layers.places!.length },
      (_, index) => layers.places!.feature(index).properties.name,
    );
    expect(names).toContain('Sarrowby');
  });
});
