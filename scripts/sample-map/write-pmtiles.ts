import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';

// PMTiles version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md. One directory is enough for a small map.

/** A vector tile that is not compressed yet, and where it is. */
export type Tile = { z: number; x: number; y: number; data: Uint8Array };

type Bounds = { west: number; south: number; east: number; north: number };

const headerLength = 127;
/** The header and the only directory must be in the first 16 KiB, which readers fetch at once. */
const maxDirectoryLength = 16_384 - headerLength;
const gzip = 2;
const vectorTiles = 1;

type Entry = { tileId: number; offset: number; length: number; runLength: number };

/** @returns the bytes of the file. Tiles that are alike are stored once. */
export function writePmtiles(tiles: readonly Tile[], bounds: Bounds, metadata: object): Buffer {
  const { entries, contents, data } = storeTiles(tiles);
  const directory = gzipSync(encodeDirectory(entries));
  if (directory.length > maxDirectoryLength) throw new Error('too many tiles for one directory');
  const about = gzipSync(JSON.stringify(metadata));
  const header = Buffer.alloc(headerLength);
  header.write('PMTiles', 0, 'latin1');
  header.writeUInt8(3, 7);
  const dataOffset = headerLength + directory.length + about.length;
  const parts = [
    headerLength,
    directory.length,
    headerLength + directory.length,
    about.length,
    // No leaf directories.
    dataOffset,
    0,
    dataOffset,
    data.length,
    tiles.length,
    entries.length,
    contents,
  ];
  for (const [index, value] of parts.entries()) header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  const zooms = tiles.map(({ z }) => z);
  const middle = [(bounds.west + bounds.east) / 2, (bounds.south + bounds.north) / 2] as const;
  // The tiles are in the order of their ids.
  header.writeUInt8(1, 96);
  header.writeUInt8(gzip, 97);
  header.writeUInt8(gzip, 98);
  header.writeUInt8(vectorTiles, 99);
  header.writeUInt8(Math.min(...zooms), 100);
  header.writeUInt8(Math.max(...zooms), 101);
  const degrees = [bounds.west, bounds.south, bounds.east, bounds.north];
  for (const [index, each] of degrees.entries()) header.writeInt32LE(Math.round(each * 1e7), 102 + 4 * index);
  header.writeUInt8(Math.min(...zooms), 118);
  for (const [index, each] of middle.entries()) header.writeInt32LE(Math.round(each * 1e7), 119 + 4 * index);
  return Buffer.concat([header, directory, about, data]);
}

function storeTiles(tiles: readonly Tile[]): { entries: Entry[]; contents: number; data: Buffer } {
  const byId = tiles.map((tile) => ({ ...tile, tileId: zxyToTileId(tile.z, tile.x, tile.y) }));
  const stored = new Map<string, { offset: number; length: number }>();
  const parts: Buffer[] = [];
  let length = 0;
  const entries: Entry[] = [];
  for (const { tileId, data } of byId.toSorted((one, other) => one.tileId - other.tileId)) {
    const key = createHash('sha256').update(data).digest('hex');
    let place = stored.get(key);
    if (!place) {
      const part = gzipSync(data, { level: 9 });
      place = { offset: length, length: part.length };
      stored.set(key, place);
      parts.push(part);
      length += part.length;
    }
    const last = entries.at(-1);
    if (last && last.offset === place.offset && last.tileId + last.runLength === tileId) last.runLength++;
    else entries.push({ tileId, ...place, runLength: 1 });
  }
  return { entries, contents: parts.length, data: Buffer.concat(parts) };
}

/** Column by column; an offset is 0 if the tile follows the one before. */
function encodeDirectory(entries: readonly Entry[]): Buffer {
  const ids = entries.map(({ tileId }, index) => tileId - (entries[index - 1]?.tileId ?? 0));
  const offsets = entries.map(({ offset }, index) => {
    const before = entries[index - 1];
    return before && before.offset + before.length === offset ? 0 : offset + 1;
  });
  const runs = entries.map(({ runLength }) => runLength);
  const lengths = entries.map(({ length }) => length);
  return Buffer.from([entries.length, ...ids, ...runs, ...lengths, ...offsets].flatMap(varint));
}

/** Seven bits a byte, the lowest first (protobuf). */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}
