import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { untilAtRest } from '../lib/at-rest.ts';
import { england, type FilledSite, fillWithEngland, missingRequirement } from '../lib/england.ts';
import { writeQueries } from '../lib/library-queries.ts';
import { measure } from '../lib/load.ts';
import { runCommand } from '../lib/run-command.ts';
import { startBenchSite } from '../lib/site.ts';

const copies = 9;

/**
 * The time a page takes with England's library, and again with ten times as many services (376,390). One request at a
 * time, on a site at rest.
 * Target: at most twice the time.
 */
export async function benchLibraryTenfold(): Promise<void> {
  const missing = missingRequirement();
  if (missing) return console.log(`library-tenfold: needs ${missing}`);
  const site = await startBenchSite();
  try {
    const filled = await fillWithEngland(site);
    const pages = await writePages(filled);
    await untilAtRest(site);
    const once = await timePages(filled, pages);
    for (let copy = 1; copy <= copies; copy += 1) await importCopy(site, copy);
    await untilAtRest(site);
    const tenfold = await timePages(filled, pages);
    for (const name of Object.keys(pages)) {
      const [before, after] = [once[name]!, tenfold[name]!];
      console.log(
        `library-tenfold, ${name}: ${before.toFixed(1)} ms with one England, ${after.toFixed(1)} ms with ten, ` +
          `${(after / before).toFixed(1)} times (target: 2)`,
      );
    }
  } finally {
    await site.remove();
  }
}

/** Files of addresses, by the kind of page. */
type Pages = Record<string, string>;

async function writePages({ site, headers }: FilledSite): Promise<Pages> {
  const first = await fetch(`${site.baseUrl}/api/library/services?per_page=50`, { headers });
  const { total_pages } = (await first.json()) as { total_pages: number };
  const deep = Math.ceil(total_pages * 0.9);
  const { text, textPostcodeDay, nearest } = await writeQueries(site);
  const list = async (file: string, query: string) => {
    const path = join(site.dataDir, file);
    await writeFile(path, `/api/library/services?${query}\n`);
    return path;
  };
  return {
    'first page, full': await list('first.txt', 'full=true&per_page=50'),
    [`page ${deep}, full`]: await list('deep.txt', `full=true&per_page=50&page=${deep}`),
    'nearest first': nearest,
    'text search': text,
    'text + postcode + day': textPostcodeDay,
  };
}

/** @returns the mean time of each kind of page in milliseconds. */
async function timePages({ site, headers }: FilledSite, pages: Pages): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const [name, file] of Object.entries(pages)) {
    const load = (sentCount: number, seconds: number) => {
      const script = { name: 'each-line', args: [file, String(sentCount)] };
      return measure(site.baseUrl, { path: '/', headers, script, connections: 1, seconds });
    };
    const { calls } = await load(0, 3);
    times[name] = 1000 / (await load(calls, 6)).perSecond;
  }
  return times;
}

/** Adds the library once more under other ids; its terms stay the same. */
async function importCopy(site: SiteProcess, copy: number): Promise<void> {
  const file = join(site.dataDir, `copy-${copy}.ndjson`);
  const lines = createInterface(createReadStream(england.services).pipe(createGunzip()));
  await pipeline(Readable.from(withNewIds(lines, copy)), createWriteStream(file));
  await runCommand(site.env, 1, ['library', 'import', file]);
  await rm(file);
}

async function* withNewIds(lines: AsyncIterable<string>, copy: number): AsyncGenerator<string> {
  for await (const line of lines) {
    const { attributes, ...rest } = JSON.parse(line);
    const other = JSON.stringify(rest).replaceAll(
      /"[0-9a-f]{2}([0-9a-f]{6}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g,
      `"c${copy}$1"`,
    );
    yield `${JSON.stringify({ ...JSON.parse(other), attributes })}\n`;
  }
}
