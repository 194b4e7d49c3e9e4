import type { SiteProcess } from '../../test/process/site-process.ts';
import { withBothDatabases } from '../lib/both-databases.ts';
import { inWords, median } from '../lib/figures.ts';
import { signInWithKeys } from '../lib/key-holder.ts';
import { measure } from '../lib/load.ts';

/**
 * `POST /api/token/refresh`. Each is answered once its token is on the disk (fsync on).
 * Target: 1,000 a second with one core for the server.
 */
export const benchRefresh = () => withBothDatabases(measureRefresh);

async function measureRefresh(site: SiteProcess, where: string): Promise<void> {
  const { refresh } = await signInWithKeys(site);
  const load = {
    path: '/api/token/refresh',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken: refresh }),
  };
  await measure(site.baseUrl, { ...load, seconds: 3 });
  const rates: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const rate = await measure(site.baseUrl, { ...load, seconds: 3 });
    rates.push(rate.perSecond);
    console.log(`token/refresh ${inWords(rate)}`);
  }
  console.log(`refresh: median ${median(rates).toFixed(0)}/s (target: 1,000), ${where}`);
}
