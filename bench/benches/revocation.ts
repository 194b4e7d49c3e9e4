import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyKeys } from '../../test/people/api-client.ts';
import { freePort, type SiteProcess } from '../../test/process/site-process.ts';
import { percentile } from '../lib/figures.ts';
import { signInWithKeys } from '../lib/key-holder.ts';
import { makeOutsideDatabase } from '../lib/outside-database.ts';
import { startBenchSite } from '../lib/site.ts';

const rounds = 200;

/**
 * Two processes of one site on one PostgreSQL. Keys are replaced through the first. The second, which has cached the
 * old token, is asked about it as fast as it answers, until it says 401. The time runs from the request to the first,
 * so it includes the change itself.
 * Target: 50 ms at p99 of 200.
 */
export async function benchRevocation(): Promise<void> {
  const outside = await makeOutsideDatabase();
  if (!outside) return console.log('revocation: needs a PostgreSQL that runs by itself');
  const keyDir = await mkdtemp(join(tmpdir(), 'onward-bench-key-'));
  const shared = {
    ONWARD_DATABASE_URL: outside.url,
    ONWARD_SITE_KEY_FILE: join(keyDir, 'site.key'),
  };
  const sites: SiteProcess[] = [];
  try {
    const first = await startBenchSite(shared);
    sites.push(first);
    const port = String(await freePort());
    sites.push(
      await startBenchSite(
        { ...shared, ONWARD_PORT: port, ONWARD_BASE_URL: first.baseUrl, ONWARD_SAMPLE: 'false' },
        1,
      ),
    );
    const times = await replaceKeys(first, `http://127.0.0.1:${port}`);
    const at = (share: number) => `p${share} ${percentile(times, share).toFixed(1)} ms`;
    console.log(`revocation: ${at(50)}, ${at(99)} of ${times.length} (target: 50 ms at p99)`);
  } finally {
    for (const site of sites.reverse()) await site.remove();
    await outside.drop();
    await rm(keyDir, { recursive: true, force: true });
  }
}

async function replaceKeys(first: SiteProcess, secondUrl: string): Promise<number[]> {
  const { person } = await signInWithKeys(first);
  const times: number[] = [];
  const statusAtSecond = async (access: string) => {
    const headers = { authorization: `Bearer ${access}` };
    const answer = await fetch(`${secondUrl}/api/token/status`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  for (let round = 0; round < rounds; round += 1) {
    const { access } = await copyKeys(person);
    const page = await person.visit('/apikeys/regenerate');
    if ((await statusAtSecond(access)) !== 200) throw new Error('the second process does not know the token');
    const began = performance.now();
    const replaced = person.submit(page, '/apikeys/regenerate', {});
    while ((await statusAtSecond(access)) === 200);
    times.push(performance.now() - began);
    await replaced;
  }
  return times;
}
