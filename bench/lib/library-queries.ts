import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { withPlatformOf } from './platform-of.ts';

const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const max = 20_000;

/** Files with the address of a list in each line, all different. */
export type Queries = { text: string; textPostcodeDay: string; nearest: string };

/**
 * What people might search for: one or two words of a service's name, alone and with a postcode and a day, or only what
 * is near a postcode. One word in ten is misspelt. Every run has the same queries.
 */
export function writeQueries(site: SiteProcess): Promise<Queries> {
  return withPlatformOf(site.env, async ({ db }) => {
    const { rows: names } = await sql<{ name: string }>`
      select name from services where status = 'active' order by md5(id) limit ${max}`.execute(db);
    const { rows: postcodes } = await sql<{ postcode: string }>`
      select postcode from postcodes where latitude is not null order by md5(postcode)`.execute(db);
    const texts = names.map(({ name }, number) => searchOf(name, number)).filter((text) => text !== '');
    const line = (query: Record<string, string>) => `/api/library/services?${new URLSearchParams(query)}\n`;
    const write = async (name: string, lines: string[]) => {
      const file = join(site.dataDir, name);
      await writeFile(file, lines.join(''));
      return file;
    };
    const textPostcodeDay = texts.map((search, number) =>
      line({ search, postcode: postcodes[number % postcodes.length]!.postcode, day: days[number % 7]! }),
    );
    const nearest = postcodes.slice(0, max).map(({ postcode }) => line({ postcode }));
    return {
      nearest: await write('nearest.txt', nearest),
      text: await write(
        'text.txt',
        texts.map((search) => line({ search })),
      ),
      textPostcodeDay: await write('text-postcode-day.txt', textPostcodeDay),
    };
  });
}

function searchOf(name: string, number: number): string {
  const words = name.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const from = number % Math.max(1, words.length);
  const searched = words.slice(from, from + 1 + (number % 2)).join(' ');
  // Leaves out the third letter.
  return number % 10 === 0 ? searched.slice(0, 2) + searched.slice(3) : searched;
}
