import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePmtiles } from '../../../scripts/sample-map/write-pmtiles.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { openMapFile } from './map-file.ts';

let folder: string;
let file: string;
let site: TestApp;
const bounds = { west: -3, south: 52, east: -2, north: 53 };
const map = writePmtiles([{ z: 0, x: 0, y: 0, data: Buffer.from('a tile') }], bounds, {});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-map-'));
  file = join(folder, '.a map of 100%.pmtiles');
  await writeFile(file, map);
  site = await makeApp({ env: { ONWARD_MAP_FILE: file } });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

async function fetchMap(headers: Record<string, string> = {}) {
  const browser = await signedInBrowser(site, { role: 'provider' });
  return site.app.inject({ url: '/map.pmtiles', headers: { ...browser.headers, ...headers } });
}

describe('the map file', () => {
  it('is sent in parts, to users only', async () => {
    const whole = await fetchMap();
    expect(whole.rawPayload).toEqual(map);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/vnd.pmtiles',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=86400',
    });
    const part = await fetchMap({ range: 'bytes=7-9' });
    expect(part.statusCode).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 7-9/${map.length}`);
    expect(part.rawPayload).toEqual(map.subarray(7, 10));
    const stranger = await site.app.inject('/map.pmtiles');
    expect(stranger.statusCode).toBe(303);
    expect(stranger.headers.location).toContain('/signin');
  });

  it('answers a range that it lacks, and a file already held', async () => {
    const beyond = await fetchMap({ range: 'bytes=999999-' });
    expect(beyond.statusCode).toBe(416);
    expect(beyond.headers['content-range']).toBe(`bytes */${map.length}`);
    expect(beyond.headers['cache-control']).toBe('no-store');
    expect((await fetchMap({ range: 'nonsense' })).statusCode).toBe(200);
    const etag = String((await fetchMap()).headers.etag);
    const known = await fetchMap({ 'if-none-match': etag });
    expect(known.statusCode).toBe(304);
    expect(known.rawPayload).toHaveLength(0);
  });

  it('answers 404, which is not cached, if the file is missing', async () => {
    await rename(file, `${file}.away`);
    const answer = await fetchMap();
    await rename(`${file}.away`, file);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is open to everybody with a public library', async () => {
    const open = await makeApp({ env: { ONWARD_MAP_FILE: file, ONWARD_LIBRARY_PUBLIC: 'true' } });
    const answer = await open.app.inject('/map.pmtiles');
    await open.close();
    expect(answer.rawPayload).toEqual(map);
  });

  it('covers its own area', () => {
    const { covers } = openMapFile({ mapFile: file, mode: 'live' })!;
    expect(covers({ latitude: 52.5, longitude: -2.5 })).toBe(true);
    expect(covers({ latitude: 53.1, longitude: -2.5 })).toBe(false);
    expect(covers({ latitude: 52.5, longitude: -1.9 })).toBe(false);
  });
});

describe('a site with a wrong map file', () => {
  it('does not start, and says why', async () => {
    const problemWith = (mapFile: string) => {
      try {
        openMapFile({ mapFile, mode: 'live' });
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    expect(problemWith(join(folder, 'none'))).toMatch(/^ONWARD_MAP_FILE: .*none cannot be read \(ENOENT\)$/);
    expect(problemWith(folder)).toContain('is not a PMTiles file of version 3');
    const other = join(folder, 'other.pmtiles');
    await writeFile(other, 'PMTiles');
    expect(problemWith(other)).toContain('is not a PMTiles file of version 3');
    const pictures = Buffer.from(map);
    pictures.writeUInt8(2, 99);
    await writeFile(other, pictures);
    expect(problemWith(other)).toContain('has no vector tiles');
  });
});

describe('a site without a map file', () => {
  it('has a map only if it is a test site', () => {
    expect(openMapFile({ mapFile: undefined, mode: 'live' })).toBeUndefined();
    expect(openMapFile({ mapFile: undefined, mode: 'test' })?.path).toMatch(/sample\/map\.pmtiles$/);
  });
});
