import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeKeyFile } from '../../src/platform/secrets/index.ts';
import { createDatabase, dropDatabase, urlOf } from '../database/test-database.ts';
import { freePort, type SiteProcess, startSiteProcess } from './site-process.ts';

export type SitePair = Awaited<ReturnType<typeof startSitePair>>;

/** Two processes of one site, on one PostgreSQL and behind one address: that of the first. */
export async function startSitePair(secondEnv: Record<string, string> = {}) {
  const name = `onward_pair_${randomBytes(6).toString('hex')}`;
  const copy = `${name}_copy`;
  await createDatabase(name);
  const keyDir = await mkdtemp(join(tmpdir(), 'onward-key-'));
  const shared = { ONWARD_DATABASE_URL: urlOf(name), ONWARD_SITE_KEY_FILE: join(keyDir, 'site.key') };
  await makeKeyFile(shared.ONWARD_SITE_KEY_FILE);
  const first: SiteProcess = await startSiteProcess(shared);
  const port = String(await freePort());
  const second = await startSiteProcess({
    ...shared,
    ONWARD_PORT: port,
    ONWARD_BASE_URL: first.baseUrl,
    ONWARD_SAMPLE: 'false',
    ...secondEnv,
  });
  return {
    first,
    second,
    secondUrl: `http://127.0.0.1:${port}`,
    /** Call only when both are stopped. @returns where the copy is. */
    async copyDatabase(): Promise<string> {
      await createDatabase(copy, name);
      return urlOf(copy);
    },
    async close(): Promise<void> {
      await second.remove();
      await first.remove();
      await dropDatabase(copy);
      await dropDatabase(name);
      await rm(keyDir, { recursive: true, force: true });
    },
  };
}
