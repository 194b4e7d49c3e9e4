import type { SiteProcess } from '../../test/process/site-process.ts';
import { makeOutsideDatabase } from './outside-database.ts';
import { startBenchSite } from './site.ts';

/**
 * Measures a site on core 0 twice: with its own PostgreSQL, which shares that core; and, if there is one, with a
 * separate PostgreSQL on the other core, which it shares with the load.
 */
export async function withBothDatabases(
  run: (site: SiteProcess, where: string) => Promise<void>,
): Promise<void> {
  await runOn({}, 'PostgreSQL on the server’s core', run);
  const outside = await makeOutsideDatabase();
  if (!outside) return;
  try {
    const where = `PostgreSQL ${outside.version} on the load’s core`;
    await runOn({ ONWARD_DATABASE_URL: outside.url }, where, run);
  } finally {
    await outside.drop();
  }
}

async function runOn(
  env: Record<string, string>,
  where: string,
  run: (site: SiteProcess, where: string) => Promise<void>,
): Promise<void> {
  const site = await startBenchSite(env);
  try {
    await run(site, where);
  } finally {
    await site.remove();
  }
}
