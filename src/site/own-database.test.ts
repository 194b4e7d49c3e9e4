import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { endEmbedded, rowsOf, superuserOf, usedDirectory } from '../../test/database/embedded-databases.ts';
import { testDatabase, urlOf } from '../../test/database/test-database.ts';
import {
  aPlace,
  key,
  liveWords,
  modeEnv,
  open,
  otherKey,
  removePlaces,
  testWords,
  withKey,
} from '../../test/site/open-site.ts';
import { openEmbeddedDatabase } from '../platform/database/index.ts';

// What `identity.test.ts` says of an outside database, for one in the data directory: each process starts its PostgreSQL.

afterEach(async () => {
  await endEmbedded();
  await removePlaces();
});

describe('the mode of a site’s own database', () => {
  it('is that of its first start, for every process and command', async () => {
    const { env } = await aPlaceWithDatabase();
    expect(await open(env, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
    for (const purpose of ['site', 'command'] as const) {
      expect(await open({ ...env, ...modeEnv('live') }, { purpose, openAs: 'existing' })).toContain(
        testWords,
      );
      expect(await open({ ...env, ...modeEnv('test') }, { purpose, openAs: 'existing' })).toBe('open');
      expect(await open(env, { purpose, openAs: 'existing' })).toBe('open');
    }
  });

  it('stays live once it is live', async () => {
    const { env } = await aPlaceWithDatabase();
    expect(await open({ ...env, ...modeEnv('live') }, { purpose: 'site', openAs: 'new-or-existing' })).toBe(
      'open',
    );
    for (const purpose of ['site', 'command'] as const) {
      expect(await open(env, { purpose, openAs: 'new-or-existing' })).toContain('ONWARD_MODE is not set');
      expect(await open({ ...env, ...modeEnv('test') }, { purpose, openAs: 'new-or-existing' })).toContain(
        liveWords,
      );
    }
  });
});

describe('a data directory of an earlier version, whose database has no role for the site', () => {
  it('is left as it was by a process of the wrong mode', async () => {
    const { folder, env } = await aPlaceWithDatabase();
    expect(await open({ ...env, ...modeEnv('live') }, { purpose: 'site', openAs: 'new-or-existing' })).toBe(
      'open',
    );
    const own = await openEmbeddedDatabase({ dataDir: folder, purpose: 'command' });
    const superuser = await superuserOf(folder, own);
    for (const statement of ['reassign owned by onward_app to onward', 'drop owned by onward_app'])
      await rowsOf(superuser, statement);
    await rowsOf(superuser, 'drop role onward_app');
    await own.release();
    for (const purpose of ['site', 'command'] as const)
      expect(await open(env, { purpose, openAs: 'existing' })).toContain('ONWARD_MODE is not set');
    expect(await hasRole(folder)).toBe(false);
    expect(await open({ ...env, ...modeEnv('live') }, { purpose: 'site', openAs: 'existing' })).toBe('open');
    expect(await hasRole(folder)).toBe(true);
  });
});

describe('a site’s own database', () => {
  it('is made once nothing says that it has an outside one', async () => {
    const { folder, env } = await aPlace();
    const outside = await testDatabase('none');
    const all = { ...env, ONWARD_DATABASE_URL: urlOf(outside.connection.database!) };
    expect(await open(all, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
    await outside.close();
    await rm(join(folder, 'outside-database.json'));
    expect(await open(env, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
  });
});

describe('the site key', () => {
  it('is never replaced, nor made again, for its own database', async () => {
    const { folder, env } = await aPlaceWithDatabase();
    const file = join(folder, 'site.key');
    expect(await open(env, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
    await writeFile(file, otherKey);
    for (const purpose of ['site', 'command'] as const)
      expect(await open(env, { purpose, openAs: 'existing' })).toContain('is not the one that this database');
    await rm(file);
    for (const openAs of ['new-or-existing', 'existing'] as const)
      expect(await open(env, { purpose: 'site', openAs })).toContain('is missing');
    expect(await readdir(folder)).not.toContain('site.key');
    await writeFile(file, key, { mode: 0o600 });
    expect(await open(env, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
  });
});

/** Whether the site's own database has a role for the site; makes none if it has not. */
async function hasRole(dataDir: string): Promise<boolean> {
  const beforeHandOver = () => Promise.reject(new Error('It has none.'));
  try {
    await (await openEmbeddedDatabase({ dataDir, purpose: 'command', beforeHandOver })).release();
    return true;
  } catch (error) {
    if ((error as Error).message === 'It has none.') return false;
    throw error;
  }
}

/** The same with a PostgreSQL of its own that has no tables yet. */
const aPlaceWithDatabase = async () => withKey(await usedDirectory(), key);
