import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { disableAccount, storeAccount } from '../../test/accounts/stored.ts';
import { withSlowCases } from '../../test/app/runs.ts';
import { askSuperuser, testDatabase, urlOf } from '../../test/database/test-database.ts';
import { storeReferral } from '../../test/delivery/test-site.ts';
import {
  aPlace,
  key,
  liveWords,
  type Mode,
  modeEnv,
  open,
  otherKey,
  removePlaces,
  testWords,
} from '../../test/site/open-site.ts';
import {
  type Database,
  readSiteFacts,
  recordSiteFactOnce,
  siteFactNames,
} from '../platform/database/index.ts';
import { createSecrets, siteKeyFingerprint } from '../platform/secrets/index.ts';

// A database remembers which site it belongs to. A process with another mode or key is refused before it changes anything:
// a process that mistook a live database for a test one would lose referrals.

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await removePlaces();
});

type Kind = 'new' | 'test' | 'live' | 'earlier, made up' | 'earlier, real' | 'earlier, unused';

/** For each kind of database and process: the mode of the site then, or why the process is refused. */
const pairs: [Kind, Record<Mode, string>][] = [
  ['new', { test: 'test', live: 'live', unstated: 'test' }],
  ['test', { test: 'test', live: testWords, unstated: 'test' }],
  ['live', { test: 'ONWARD_MODE is test', live: 'live', unstated: 'ONWARD_MODE is not set' }],
  ['earlier, made up', { test: 'test', live: 'live', unstated: 'ONWARD_MODE=test npm start' }],
  ['earlier, unused', { test: 'test', live: 'live', unstated: 'ONWARD_MODE=test npm start' }],
  ['earlier, real', { test: liveWords, live: 'live', unstated: liveWords }],
];
const cases = pairs.flatMap(([kind, by]) =>
  (['test', 'live', 'unstated'] as const).map((mode) => [mode, kind, by[mode]] as const),
);

/** With an outside database a command is opened as a site is; `site-identity.test.ts` tries some, and a slow run all. */
const purposes = withSlowCases<'site' | 'command'>(['site'], ['command']);

describe.each(purposes)('the mode of an outside database, for a %s', (purpose) => {
  it.each(cases)('%s on %s: %s', async (mode, kind, expected) => {
    const place = await aPlace();
    const database = await aDatabase(kind);
    const before = await readSiteFacts(database.db);
    const env = { ...place.env, ...place.named, ONWARD_DATABASE_URL: urlOfDatabase(database) };
    const opened = await open(
      { ...env, ...modeEnv(mode) },
      { purpose, openAs: kind === 'new' ? 'new-or-existing' : 'existing' },
    );
    const after = await readSiteFacts(database.db);
    if (expected === 'test' || expected === 'live') {
      expect(opened).toBe('open');
      expect(after).toMatchObject({ mode: expected, id: expect.any(String) });
    } else {
      expect(opened).toContain(expected);
      expect(after).toEqual(before);
    }
  });
});

describe('processes that start together on a new database', () => {
  it('agree on one mode; the others are refused', async () => {
    const database = await aDatabase('new');
    const url = urlOfDatabase(database);
    const place = await aPlace();
    const env = { ...place.env, ...place.named };
    const starts = (['test', 'live', 'unstated', 'live'] as const).map((mode) =>
      open(
        { ...env, ONWARD_DATABASE_URL: url, ...modeEnv(mode) },
        { purpose: 'site', openAs: 'new-or-existing' },
      ),
    );
    const said = await Promise.all(starts);
    const { mode } = await readSiteFacts(database.db);
    const expected =
      mode === 'live' ? [liveWords, 'open', liveWords, 'open'] : ['open', testWords, 'open', testWords];
    expect(said.map((each, index) => each.includes(expected[index]!))).toEqual([true, true, true, true]);
  });
});

describe('sample accounts', () => {
  it('keep a database of an earlier version from becoming live', async () => {
    const database = await aDatabase('earlier, made up');
    const account = await storeAccount(database.db, { email: 'referrer@example.org' });
    const place = await aPlace();
    const env = { ...place.env, ...place.named };
    const live = { ...env, ONWARD_DATABASE_URL: urlOfDatabase(database), ...modeEnv('live') };
    const said = await open(live, { purpose: 'site', openAs: 'new-or-existing' });
    expect(said).toContain(
      'ONWARD_MODE=test npm run -s onward -- account disable --email referrer@example.org',
    );
    expect((await readSiteFacts(database.db)).mode).toBeUndefined();
    await disableAccount(database.db, account);
    expect(await open(live, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
  });
});

describe('a data directory whose site has an outside database', () => {
  const withoutUrl = ({ ONWARD_DATABASE_URL: _, ...rest }: Record<string, string>) => rest;

  it('gets no database of its own when the setting was forgotten', async () => {
    const { folder, env } = await aPlace();
    const all = { ...env, ONWARD_DATABASE_URL: urlOfDatabase(await aDatabase('new')) };
    expect(await open(all, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
    for (const openAs of ['new-or-existing', 'existing', 'untouched'] as const)
      expect(await open(withoutUrl(all), { purpose: 'site', openAs })).toMatch(
        /^ONWARD_DATABASE_URL is not set: .* outside database.*For example: /,
      );
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres'))).toEqual([]);
    expect(await open(all, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
  });

  it('gets no database of its own if an earlier version made it', async () => {
    const { folder, env } = await aPlace();
    await writeFile(join(folder, 'audit-head.json'), '{}');
    expect(await open(env, { purpose: 'site', openAs: 'new-or-existing' })).toMatch(
      /^ONWARD_DATABASE_URL is not set: .*audit-head/,
    );
    expect((await readdir(folder)).sort()).toEqual(['audit-head.json', 'site.key']);
  });

  it('works only with that site’s database', async () => {
    const { folder, env } = await aPlace();
    const at = async (kind: Kind) => ({
      ...env,
      ONWARD_DATABASE_URL: urlOfDatabase(await aDatabase(kind)),
    });
    const own = await at('test');
    expect(await open(own, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
    const other = await at('new');
    expect(await open(other, { purpose: 'site', openAs: 'new-or-existing' })).toContain(
      'this database has no site in it',
    );
    await rm(join(folder, 'outside-database.json'));
    expect(await open(other, { purpose: 'site', openAs: 'new-or-existing' })).toBe('open');
    expect(await open(own, { purpose: 'command', openAs: 'existing' })).toContain(
      'belongs to site 0190-a-site',
    );
  });
});

describe('the site key', () => {
  const keyCases = [
    ['same', 'marked', 'open'],
    ['same', 'new', 'open'],
    ['other', 'marked', 'is not the one that this database was made under'],
    ['other', 'new', 'open'],
    ['missing', 'marked', 'is missing'],
    ['missing', 'new', { named: 'is missing', unnamed: 'open' }],
  ] as const;
  const uses = purposes.flatMap((purpose) =>
    (['named', 'unnamed'] as const).flatMap((name) =>
      keyCases.map(([file, kind, expected]) => {
        return [purpose, name, file, kind, typeof expected === 'string' ? expected : expected[name]] as const;
      }),
    ),
  );

  it.each(uses)('%s, %s, %s, on a %s database: %s', async (purpose, name, file, kind, expected) => {
    const database = await aDatabase(kind === 'marked' ? 'test' : 'new');
    const { folder, env } = await aPlace(file === 'missing' ? 'none' : file === 'same' ? key : otherKey);
    const named = name === 'named' ? { ONWARD_SITE_KEY_FILE: join(folder, 'site.key') } : {};
    const all = { ...env, ...named, ONWARD_DATABASE_URL: urlOfDatabase(database) };
    expect(await open(all, { purpose, openAs: 'new-or-existing' })).toContain(expected);
    const wasMade = file === 'missing' && expected === 'open';
    expect((await readdir(folder)).includes('site.key')).toBe(file !== 'missing' || wasMade);
  });

  it('must exist for a new site when it is named', async () => {
    const { folder, env } = await aPlace('none');
    const named = { ...env, ONWARD_SITE_KEY_FILE: join(folder, 'named.key') };
    const said = await open(named, { purpose: 'site', openAs: 'new-or-existing' });
    expect(said).toContain(`npm run -s onward -- site key make ${join(folder, 'named.key')}`);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is reported missing only after an unusable database', async () => {
    const { folder, env } = await aPlace('none');
    const named = { ...env, ONWARD_SITE_KEY_FILE: join(folder, 'named.key') };
    const database = await aDatabase('test');
    const url = urlOfDatabase(database);
    await askSuperuser(
      `alter database ${database.connection.database} set default_transaction_read_only = on`,
    );
    for (const all of [named, env])
      expect(
        await open({ ...all, ONWARD_DATABASE_URL: url }, { purpose: 'site', openAs: 'existing' }),
      ).toContain('takes no changes');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is refused if others can write it, warned of if they read it', async () => {
    const { folder, env } = await aPlace(key);
    const all = { ...env, ONWARD_DATABASE_URL: urlOfDatabase(await aDatabase('new')) };
    await chmod(join(folder, 'site.key'), 0o606);
    expect(await open(all, { purpose: 'site', openAs: 'new-or-existing' })).toContain(
      'users other than its owner can write',
    );
    await chmod(join(folder, 'site.key'), 0o444);
    const lines: string[] = [];
    expect(await open(all, { purpose: 'site', openAs: 'new-or-existing' }, lines)).toBe('open');
    expect(lines.join('')).toContain('the site key is not secret: everybody on this machine can read it');
  });
});

async function aDatabase(kind: Kind): Promise<Database> {
  const database = await testDatabase(kind === 'new' ? 'none' : 'all');
  closing.push(() => database.close());
  if (kind === 'new') return database;
  const { mode, id, keyFingerprint } = siteFactNames;
  await recordSiteFactOnce(database.db, keyFingerprint, siteKeyFingerprint(createSecrets(key)));
  if (kind === 'test' || kind === 'live') {
    await recordSiteFactOnce(database.db, mode, Buffer.from(kind));
    await recordSiteFactOnce(database.db, id, Buffer.from('0190-a-site'));
  }
  if (kind === 'earlier, made up') await storeReferral(database.pool, { simulated: true });
  if (kind === 'earlier, real') await storeReferral(database.pool, { simulated: false });
  return database;
}

function urlOfDatabase({ connection }: Database): string {
  return urlOf(connection.database!);
}
