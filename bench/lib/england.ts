import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { withBothDatabases } from './both-databases.ts';
import { signInWithKeys } from './key-holder.ts';
import { hasWrk } from './load.ts';
import { dataFolder } from './options.ts';
import { runCommand } from './run-command.ts';

export const england = {
  services: join(dataFolder, 'library-england.ndjson.gz'),
  postcodes: join(dataFolder, 'postcodes.csv'),
};

/** A site with England's services and postcodes, and the headers of somebody who may read it. */
export type FilledSite = { site: SiteProcess; headers: Record<string, string> };

/** Measures England's library, or says what is missing. */
export function withEngland(
  name: string,
  run: (filled: FilledSite, where: string) => Promise<void>,
): Promise<void> {
  const missing = missingRequirement();
  if (missing) return Promise.resolve(console.log(`${name}: needs ${missing}`));
  return withBothDatabases(async (site, where) => run(await fillWithEngland(site), where));
}

export function missingRequirement(): string | undefined {
  return hasWrk ? missingData() : 'wrk';
}

/** For a bench that makes no load. */
export function missingData(): string | undefined {
  const file = Object.values(england).find((each) => !existsSync(each));
  return file && `${file}, which is not there: BENCH_DATA=<folder> says where the data is`;
}

export async function fillWithEngland(site: SiteProcess): Promise<FilledSite & { access: string }> {
  await runCommand(site.env, 1, ['postcodes', 'import', england.postcodes]);
  await runCommand(site.env, 1, ['library', 'import', england.services]);
  const { access } = await signInWithKeys(site);
  return { site, access, headers: { authorization: `Bearer ${access}` } };
}
