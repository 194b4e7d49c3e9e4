import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHeader, TileType } from 'pmtiles';
import type { Point } from '../../library/index.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import type { Settings } from '../../platform/settings/index.ts';

/** The background of the map: a PMTiles file of vector tiles on this machine. */
export type MapFile = {
  readonly path: string;
  /** Whether the file has ground for a point. */
  covers(point: Point): boolean;
};

const sampleMap = join(import.meta.dirname, '..', '..', '..', 'sample', 'map.pmtiles');
const headerLength = 127;

/**
 * The file that `ONWARD_MAP_FILE` names, or on a test site the map of the sample valley; undefined if there is none.
 * @throws StartupError if it cannot be read, or is something else
 */
export function openMapFile({ mapFile, mode }: Pick<Settings, 'mapFile' | 'mode'>): MapFile | undefined {
  const path = mapFile ?? (mode === 'test' ? sampleMap : undefined);
  if (path === undefined) return undefined;
  const { tileType, minLon, minLat, maxLon, maxLat } = readHeader(path);
  if (tileType !== TileType.Mvt) throw new StartupError(`ONWARD_MAP_FILE: ${path} has no vector tiles`);
  return {
    path,
    covers: ({ latitude, longitude }) =>
      latitude >= minLat && latitude <= maxLat && longitude >= minLon && longitude <= maxLon,
  };
}

function readHeader(path: string) {
  const header = Buffer.alloc(headerLength);
  try {
    const file = openSync(path, 'r');
    try {
      if (fstatSync(file).isFile()) readSync(file, header, 0, headerLength, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`ONWARD_MAP_FILE: ${path} cannot be read (${code})`);
  }
  if (header.toString('latin1', 0, 7) !== 'PMTiles' || header[7] !== 3)
    throw new StartupError(`ONWARD_MAP_FILE: ${path} is not a PMTiles file of version 3`);
  return bytesToHeader(
    header.buffer.slice(header.byteOffset, header.byteOffset + headerLength) as ArrayBuffer,
  );
}
