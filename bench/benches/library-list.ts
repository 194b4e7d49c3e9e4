import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FilledSite, withEngland } from '../lib/england.ts';
import { asPercent, inWords, median } from '../lib/figures.ts';
import { measure } from '../lib/load.ts';
import { startPeer } from '../lib/peer.ts';

const path = '/api/library/services?full=true&per_page=50';

/**
 * Pages of fifty services in full, with a token and the request log on, compared with a Fastify handler that answers
 * the same bytes from memory.
 * Target: 10,000/s for the same page again, 500/s for all pages in turn.
 */
export const benchLibraryList = () => withEngland('library-list', measureList);

async function measureList({ site, headers }: FilledSite, where: string): Promise<void> {
  const answer = await fetch(site.baseUrl + path, { headers });
  const text = await answer.text();
  const pages: number = JSON.parse(text).total_pages;
  const bytes = join(site.dataDir, 'page.json');
  await writeFile(bytes, text);
  const addresses = join(site.dataDir, 'pages.txt');
  await writeFile(
    addresses,
    Array.from({ length: pages }, (_, index) => `${path}&page=${index + 1}\n`).join(''),
  );
  const peer = await startPeer('same-bytes.ts', bytes);
  try {
    await measure(peer.baseUrl, { path: '/', seconds: 2 });
    await measure(site.baseUrl, { path, headers, seconds: 4 });
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const ceiling = await measure(peer.baseUrl, { path: '/', seconds: 3 });
      const ours = await measure(site.baseUrl, { path, headers, seconds: 3 });
      ratios.push(ours.perSecond / ceiling.perSecond);
      rates.push(ours.perSecond);
      console.log(
        `50 full services ${inWords(ours)}, the same ${text.length} bytes from memory ${inWords(ceiling)}`,
      );
    }
    const script = { name: 'each-line', args: [addresses] };
    const allPages = await measure(site.baseUrl, { path, headers, script, seconds: 5 });
    console.log(`each of all ${pages} pages in turn: ${inWords(allPages)} (target: 500/s)`);
    console.log(
      `library-list: median ${median(rates).toFixed(0)}/s (target: 10,000/s), ` +
        `${asPercent(median(ratios))} of the same bytes from memory, ${where}`,
    );
  } finally {
    peer.stop();
  }
}
