import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { freePort, type SiteProcess, startSiteProcess } from './site-process.ts';

export type SitePair = Awaited<ReturnType<typeof startSitePair>>;

/** Two processes of one site, on one PostgreSQL and behind one address: that of the first. */
export async function startSitePair(secondEnv: Record<string, string> = {}) {
  const name = `onward_pair_${randomBytes(6).toString('hex')}`;
  const copy = `${name}_copy`;
  await asAdmin(`create database ${name}`);
  const keyDir = await mkdtemp(join(tmpdir(), 'onward-key-'));
  const shared = { ONWARD_DATABASE_URL: urlOf(name), ONWARD_SITE_KEY_FILE: join(keyDir, 'site.key') };
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
    /** While neither runs. @returns where the copy is. */
    async copyDatabase(): Promise<string> {
      await asAdmin(`create database ${copy} template ${name}`);
      return urlOf(copy);
    },
    async close(): Promise<void> {
      await second.remove();
      await first.remove();
      await asAdmin(`drop database if exists ${copy} with (force)`);
      await asAdmin(`drop database if exists ${name} with (force)`);
      await rm(keyDir, { recursive: true, force: true });
    },
  };
}

function urlOf(database: string): string {
  const { host = 'localhost', port, user, password } = inject('postgres').server;
  const url = new URL(`postgres://localhost:${port}/${database}`);
  url.username = user ?? '';
  url.password = String(password ?? '');
  // A socket's directory cannot stand where a host does.
  if (host.startsWith('/')) url.searchParams.set('host', host);
  else url.hostname = host;
  return url.href;
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgres').server);
  await client.connect();
  await client.query(statement);
  await client.end();
}
