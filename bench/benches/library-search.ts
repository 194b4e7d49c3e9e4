import { type FilledSite, withEngland } from '../lib/england.ts';
import { inWords, median } from '../lib/figures.ts';
import { writeQueries } from '../lib/library-queries.ts';
import { measure } from '../lib/load.ts';

const path = '/api/library/services';

/**
 * Text, postcode and day together, with a different query in every request. 50 connections each ask again as soon as
 * they are answered.
 * Target: 60 ms at p99 at 50 that never pause, and 20 ms at 50 people who search each second.
 */
export const benchLibrarySearch = () => withEngland('library-search', measureSearch);

async function measureSearch({ site, headers }: FilledSite, where: string): Promise<void> {
  const { textPostcodeDay } = await writeQueries(site);
  let sentCount = 0;
  const search = async (connections: number, seconds: number, pauseMs = 0) => {
    const script = { name: 'each-line', args: [textPostcodeDay, String(sentCount), String(pauseMs)] };
    const rate = await measure(site.baseUrl, { path, headers, script, connections, seconds });
    sentCount += rate.calls;
    return rate;
  };
  // V8 keeps compiling on the same core for about fifty thousand searches. Real sites have run for longer.
  await search(50, 15);
  for (const connections of [1, 10]) {
    console.log(`text + postcode + day at ${connections}: ${inWords(await search(connections, 4))}`);
  }
  const people = await search(50, 10, 1000);
  console.log(
    `text + postcode + day at 50 that pause a second on average: ${inWords(people)} (target: p99 20 ms)`,
  );
  const slowest: number[] = [];
  for (let round = 1; round <= 6; round += 1) {
    const rate = await search(50, 4);
    slowest.push(rate.p99Ms);
    console.log(`text + postcode + day at 50: ${inWords(rate)}`);
  }
  const p99 = median(slowest).toFixed(1);
  console.log(`library-search: p99 ${p99} ms at 50 connections (target: 60 ms), ${where}`);
}
