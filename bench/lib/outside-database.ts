import { randomBytes } from 'node:crypto';
import pg from 'pg';

const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A fresh database on a PostgreSQL that is not the site's own and may use any core; undefined if there is none. */
export async function makeOutsideDatabase(): Promise<
  { url: string; version: string; drop(): Promise<void> } | undefined
> {
  const name = `onward_bench_${randomBytes(6).toString('hex')}`;
  try {
    await ask(`create database ${name}`);
  } catch {
    return undefined;
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  const version = String((await ask('show server_version'))?.server_version);
  return { url: url.href, version, drop: async () => void (await ask(`drop database ${name} with (force)`)) };
}

async function ask(statement: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0];
  } finally {
    await client.end();
  }
}
