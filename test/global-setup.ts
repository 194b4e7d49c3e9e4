import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrations } from '../migrations/index.ts';
import { connect, migrate, openEmbeddedDatabase } from '../src/platform/database/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { unpackChromium } from './browser/chromium.ts';
import { quickFolder } from './quick-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder is the run’s own, removed at its end; there is none with an outside PostgreSQL. */
    postgres: { server: pg.ClientConfig; template: string; folder?: string };
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
  const { server, stop, folder } = process.env.TEST_DATABASE_URL
    ? outside(process.env.TEST_DATABASE_URL)
    : await embedded();
  const template = `onward_template_${process.pid}`;
  await asAdmin(server, `create database ${template}`);
  const database = connect({ ...server, database: template }, createLog('silent'));
  await migrate(database.db, database.pool, migrations);
  await database.close();
  project.provide('postgres', { server, template, ...(folder && { folder }) });
  return async () => {
    await asAdmin(server, `drop database if exists ${template} with (force)`);
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
  return { server, stop: async () => undefined, folder: undefined };
}

async function embedded() {
  const dataDir = await quickFolder('onward-test-');
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '100' };
  const running = await openEmbeddedDatabase({ dataDir, use: 'site', settings });
  const stop = async () => {
    await running.release();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { server: { ...running.connection } as pg.ClientConfig, stop, folder: dataDir };
}

async function asAdmin(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(statement);
  await client.end();
}
