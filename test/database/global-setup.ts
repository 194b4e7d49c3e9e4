import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureCluster } from '../../src/platform/database/embedded/cluster.ts';
import { superuserName } from '../../src/platform/database/embedded/connection.ts';
import { handOver } from '../../src/platform/database/embedded/site-database.ts';
import { connect, migrate, openEmbeddedDatabase } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { migrations } from '../../src/site/migrations.ts';
import { unpackChromium } from '../browser/chromium.ts';
import { quickFolder } from './memory-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The server as a site connects to it, and as its superuser does; with an outside PostgreSQL they are the same. The
     * folder is the run’s own, removed at its end; there is none with an outside PostgreSQL.
     */
    postgres: {
      server: pg.ClientConfig;
      superuser: pg.ClientConfig;
      /** Databases to be copied: with today’s tables, and with none. */
      template: string;
      empty: string;
      folder?: string;
    };
  }
}

/**
 * One PostgreSQL for the whole run, with a migrated database that each test file copies: the site's own by default,
 * or the one that TEST_DATABASE_URL names, for the second pass.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = unpackChromium();
  // What fails in it is told below, where it is waited for.
  chromium.catch(() => undefined);
  const { server, superuser, stop, folder } = process.env.TEST_DATABASE_URL
    ? outside(process.env.TEST_DATABASE_URL)
    : await embedded();
  const template = `onward_template_${process.pid}`;
  const empty = `onward_empty_${process.pid}`;
  await ask(superuser, `create database ${empty}`);
  if (folder) await onClient({ ...superuser, database: empty }, handOver);
  await ask(superuser, `create database ${template} template ${empty}`);
  const database = connect({ ...server, database: template }, createLog('silent'));
  await migrate(database.db, database.pool, migrations);
  await database.close();
  project.provide('postgres', { server, superuser, template, empty, ...(folder && { folder }) });
  return async () => {
    for (const name of [template, empty])
      await ask(superuser, `drop database if exists ${name} with (force)`);
    await stop();
    await chromium;
  };
}

function outside(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const server: pg.ClientConfig = {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1) || 'postgres',
  };
  return { server, superuser: server, stop: async () => undefined, folder: undefined };
}

async function embedded() {
  const dataDir = await quickFolder('onward-test-');
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
  const running = await openEmbeddedDatabase({ dataDir, purpose: 'site', settings });
  const stop = async () => {
    await running.release();
    await rm(dataDir, { recursive: true, force: true });
  };
  const { password } = await ensureCluster(dataDir, () => undefined);
  const server: pg.ClientConfig = { ...running.connection };
  return {
    server,
    superuser: { ...server, user: superuserName, password, database: 'postgres' },
    stop,
    folder: dataDir,
  };
}

const ask = (server: pg.ClientConfig, statement: string) =>
  onClient(server, (client) => client.query(statement));

async function onClient(
  server: pg.ClientConfig,
  use: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await use(client);
  await client.end();
}
