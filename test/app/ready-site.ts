import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type FirstStart, type SiteProcess, startSiteProcess } from './site-process.ts';
import { until } from './until.ts';

let first: Promise<FirstStart> | undefined;

/**
 * A real site whose first start is behind it, with the sample data: one is begun from nothing in each run, and the others
 * are copies of it, which take a third of the time. How a site begins is told in `life-of-a-site.test.ts`.
 */
export async function readySite(env: Record<string, string> = {}): Promise<SiteProcess> {
  const { folder } = inject('postgres');
  if (folder === undefined) return startSiteProcess(env);
  first ??= firstSite(join(folder, 'first-site'));
  return startSiteProcess(env, await first);
}

/** Begun by whichever worker of the run comes first; the others wait for it. */
async function firstSite(place: string): Promise<FirstStart> {
  const begun = join(place, 'logins.json');
  const folder = join(place, 'data');
  const isFirst = await mkdir(place).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const site = await startSiteProcess({ ONWARD_DATA_DIR: folder });
    await site.remove();
    await writeFile(`${begun}.new`, JSON.stringify(site.logins));
    await rename(`${begun}.new`, begun);
  }
  await until(() => existsSync(begun), 180_000);
  return { folder, logins: JSON.parse(await readFile(begun, 'utf8')) };
}
