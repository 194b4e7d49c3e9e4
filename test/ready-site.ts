import { join } from 'node:path';
import { inject } from 'vitest';
import { type FirstStart, type SiteProcess, startSiteProcess } from './site-process.ts';

let first: Promise<FirstStart> | undefined;

/**
 * A real site whose first start is behind it, with the sample data: one is begun from nothing in each worker of the run, and
 * the others are copies of it, which take a third of the time. How a site begins is told in `life-of-a-site.test.ts`.
 */
export async function readySite(env: Record<string, string> = {}): Promise<SiteProcess> {
  const { folder } = inject('postgres');
  if (folder === undefined) return startSiteProcess(env);
  first ??= beginSite(join(folder, `site-${process.pid}`));
  return startSiteProcess(env, await first);
}

async function beginSite(folder: string): Promise<FirstStart> {
  const site = await startSiteProcess({ ONWARD_DATA_DIR: folder });
  await site.remove();
  return { folder, logins: site.logins };
}
