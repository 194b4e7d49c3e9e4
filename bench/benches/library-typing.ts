import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FilledSite, withEngland } from '../lib/england.ts';
import { inWords, percentile } from '../lib/figures.ts';
import { measure } from '../lib/load.ts';

const path = '/api/library/services';

const searchTexts = `
  pharmacy, dentist, optician, hospital, surgery, physiotherapy, podiatry, midwife, maternity, counselling,
  bereavement, depression, anxiety, dementia, memory clinic, autism, addiction, alcohol, smoking, diabetes,
  weight, exercise, walking group, swimming, gardening, choir, lunch club, befriending, loneliness, carers,
  respite, housing, debt advice, benefits, foodbank, transport, wheelchair, hearing aid, sexual health,
  young people, Birmingham, community hospital`
  .split(',')
  .map((text) => text.trim());

/**
 * What a search field asks for while somebody types: every beginning of these words, from two letters on, in mixed
 * order.
 * Target: 25 ms at p99. Measured with one person, and with 10 and 50 who never pause.
 */
export const benchLibraryTyping = () => withEngland('library-typing', measureTyping);

async function measureTyping({ site, headers }: FilledSite, where: string): Promise<void> {
  const beginnings = searchTexts.flatMap((text) =>
    Array.from({ length: text.length - 1 }, (_, index) => text.slice(0, index + 2)),
  );
  const addresses = shuffle(beginnings).map((search) => `${path}?${new URLSearchParams({ search })}`);
  const file = join(site.dataDir, 'typed.txt');
  await writeFile(file, addresses.map((address) => `${address}\n`).join(''));
  const script = { name: 'each-line', args: [file] };

  // Warms up the site with another query, so that those below are searched for the first time.
  await measure(site.baseUrl, { path: `${path}?search=elderly`, headers, connections: 1, seconds: 3 });
  const first = await searchEachOnce(
    addresses.map((address) => site.baseUrl + address),
    headers,
  );
  console.log(
    `typing, ${addresses.length} beginnings searched for the first time: p50 ${percentile(first, 50).toFixed(1)} ms, p99 ${percentile(first, 99).toFixed(1)} ms`,
  );
  for (const connections of [1, 10, 50]) {
    await measure(site.baseUrl, { path, headers, script, connections, seconds: 2 });
    const rate = await measure(site.baseUrl, { path, headers, script, connections, seconds: 5 });
    console.log(`library-typing at ${connections}: ${inWords(rate)} (target: p99 25 ms), ${where}`);
  }
}

async function searchEachOnce(
  addresses: readonly string[],
  headers: Record<string, string>,
): Promise<number[]> {
  const times: number[] = [];
  for (const address of addresses) {
    const startMs = performance.now();
    const answer = await fetch(address, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a search was answered ${answer.status}`);
    times.push(performance.now() - startMs);
  }
  return times;
}

/** Mixes the items, in the same way at every run. */
function shuffle<T>(items: readonly T[]): T[] {
  const position = (index: number) => (index * 7919) % 1009;
  return items
    .map((item, index) => ({ item, index }))
    .toSorted((a, b) => position(a.index) - position(b.index))
    .map(({ item }) => item);
}
