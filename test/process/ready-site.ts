import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onceARun } from '../database/once-a-run.ts';
import { type SiteProcess, startSiteProcess, type Wrap } from './site-process.ts';

/**
 * A real site that has already been set up, with the sample data. Each run sets up one from nothing; the others are copies
 * of it, which take a third of the time. `life-of-a-site.program.test.ts` tests the first start.
 */
export async function readySite(env: Record<string, string> = {}, wrap?: Wrap): Promise<SiteProcess> {
  const first = await onceARun('first-site', async (folder) => {
    const site = await startSiteProcess({ ONWARD_DATA_DIR: join(folder, 'data') });
    await site.remove();
    await writeFile(join(folder, 'logins.json'), JSON.stringify(site.logins));
  });
  if (first === undefined) return startSiteProcess(env, undefined, wrap);
  const logins = JSON.parse(await readFile(join(first, 'logins.json'), 'utf8'));
  return startSiteProcess(env, { folder: join(first, 'data'), logins }, wrap);
}
