import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { manualClock } from '../app/manual-clock.ts';
import { quickFolder } from '../database/memory-folder.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { setMigrations, storedMigrations } from '../database/stored.ts';
import { createDatabase, dropDatabase, urlOf } from '../database/test-database.ts';
import { storedDeliveries } from '../delivery/stored.ts';
import { storeReferral, tellOfChange, testPlatform } from '../delivery/test-site.ts';
import { liveEnv } from '../process/live-env.ts';
import { readySite } from '../process/ready-site.ts';
import { runCommand, runProgram } from '../process/run-program.ts';
import { environment, freePort, type SiteProcess, startSiteProcess } from '../process/site-process.ts';

// The wrong start on a live site: somebody types `npm start`, or a command, where a live site's data is, and forgets its
// settings. Nothing may come of that but a message.

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('a live site with an outside database', () => {
  it('keeps its queue from a start or command without its settings', async () => {
    const { site, url } = await liveSite();
    await site.stop();
    await queueRealReferral(url);
    const without = forgetful(site);
    const start = await runProgram(['src/main.ts'], without);
    expect(start).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('belongs to a live site'),
    });
    expect(start.stderr).toContain('set -a; . /etc/onward/live.env');
    for (const words of [['account', 'list'], ['site', 'check'], ['backup', '/tmp/never'], ['migrate']])
      expect(await runCommand(words, without)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('ONWARD_MODE is not set'),
      });
    expect(await deliveryStatuses(site)).toEqual(['queued', 'queued']);
  });

  it('lets no process of another mode or key run beside it', async () => {
    const { site, folder } = await liveSite();
    const port = { ONWARD_PORT: String(await freePort()) };
    const beside = await runProgram(['src/main.ts'], { ...forgetful(site), ...port });
    expect(beside.stderr).toContain('belongs to a live site');
    const other = join(folder, 'other.key');
    expect((await runCommand(['site', 'key', 'make', other], environment())).code).toBe(0);
    expect((await stat(other)).mode & 0o777).toBe(0o600);
    const otherKey = { ...site.env, ...port, ONWARD_SITE_KEY_FILE: other };
    expect((await runProgram(['src/main.ts'], otherKey)).stderr).toContain(
      'is not the one that this database',
    );
    expect((await runCommand(['account', 'list'], otherKey)).stderr).toContain(
      'is not the one that this database',
    );
    const change = await runCommand(['site', 'mode', 'test'], { ...site.env, ONWARD_MODE: 'test' });
    expect(change).toMatchObject({ code: 1, stderr: 'The site runs. Stop all of its processes first.\n' });
    const replace = await runCommand(['site', 'key', 'replace', '--old-key-is-lost'], otherKey);
    expect(replace).toMatchObject({ code: 1, stderr: 'The site runs. Stop all of its processes first.\n' });
    expect((await fetch(`http://127.0.0.1:${site.env.ONWARD_PORT}/readyz`)).status).toBe(200);
    expect(await runCommand(['site', 'check', '--json'], site.env)).toMatchObject({
      stdout: expect.stringContaining('live site'),
    });
  });

  it('stays live while it has a real patient, also under a new key', async () => {
    const { site, url, folder } = await liveSite();
    await site.stop();
    await queueRealReferral(url);
    // As an earlier version left it: the command must refuse before it brings anything up to date.
    const migrations = () => inDatabaseOf(site, ({ db }) => storedMigrations(db));
    const setBack = (...names: string[]) => inDatabaseOf(site, ({ db }) => setMigrations(db, names));
    const current = await migrations();
    await setBack('0046-job-turns');
    const toTest = await runCommand(['site', 'mode', 'test'], { ...site.env, ONWARD_MODE: 'test' });
    expect(toTest).toMatchObject({ code: 1, stderr: expect.stringContaining('referrals of real patients') });
    expect(await migrations()).toEqual(['0046-job-turns']);
    await setBack(...current);
    const newKey = join(folder, 'new.key');
    await runCommand(['site', 'key', 'make', newKey], environment());
    const env = { ...site.env, ONWARD_SITE_KEY_FILE: newKey };
    expect((await runCommand(['site', 'key', 'replace'], env)).code).toBe(2);
    const help = (await runCommand(['site', 'key', 'replace', '--help'], env)).stdout;
    expect(help).toContain('The history of delivery addresses keeps its dates and names, but no address');
    const words = ['site', 'key', 'replace', '--old-key-is-lost'];
    const replaced = await runCommand(words, env);
    expect(replaced).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The site now uses its new site key'),
    });
    const again = await runCommand([...words, '--json'], env);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('"replaced": false') });
    expect((await runCommand(['account', 'list'], env)).code).toBe(0);
    expect((await runCommand(['account', 'list'], site.env)).stderr).toContain('is not the one');
  });
});

describe('a site with its own database', () => {
  it('is a test site until an operator’s command makes it live', async () => {
    const site = await readySite();
    site.env.ONWARD_SITE_KEY_FILE = join(site.dataDir, 'site.key');
    closing.push(() => site.remove());
    await site.stop();
    const live = { ...site.env, ...liveEnv };
    const start = await runProgram(['src/main.ts'], live);
    expect(start).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to a test site') });
    const early = await runCommand(['site', 'mode', 'live'], live);
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('sample accounts can sign in') });
    for (const line of early.stderr.split('\n').filter((each) => each.includes('account disable'))) {
      const words = line.replace(/.*onward -- /, '').split(' ');
      expect((await runCommand(words, site.env)).code, line).toBe(0);
    }
    expect((await runCommand(['site', 'mode', 'live'], site.env)).stderr).toContain(
      'ONWARD_MODE must be live',
    );
    expect((await runCommand(['site', 'mode', 'live'], live)).stdout).toBe('This is now a live site.\n');
    for (const refused of [
      await runProgram(['src/main.ts'], site.env),
      await runCommand(['account', 'list'], site.env),
    ])
      expect(refused.stderr).toContain('ONWARD_MODE is not set');
    // One of them is enabled again, by somebody who knows its password.
    const words = ['account', 'enable', '--email', 'referrer@example.org'];
    expect((await runCommand(words, live)).code).toBe(0);
    const again = await runProgram(['src/main.ts'], live);
    expect(again.stderr).toContain('ONWARD_MODE=live npm run -s onward -- account disable --email referrer@');
  });
});

/** A live site on an outside database, with a key that was made for it and a mail server that nobody reaches. */
async function liveSite() {
  const name = `onward_identity_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  closing.push(() => dropDatabase(name));
  const { folder, key } = await aKey();
  const url = urlOf(name);
  const site = await startSiteProcess({
    ...liveEnv,
    ONWARD_DATABASE_URL: url,
    ONWARD_SITE_KEY_FILE: key,
    ONWARD_SAMPLE: 'false',
    ONWARD_SMTP_URL: 'smtp://127.0.0.1:9',
    ONWARD_MAIL_FROM: 'referrals@example.org',
  });
  closing.push(() => site.remove());
  return { site, url, folder };
}

async function aKey() {
  const folder = await quickFolder('onward-key-');
  const key = join(folder, 'site.key');
  expect((await runCommand(['site', 'key', 'make', key], environment())).code).toBe(0);
  return { folder, key };
}

/** The environment of somebody who forgot to load the settings. Only the places of the data are known. */
function forgetful({ env }: SiteProcess): NodeJS.ProcessEnv {
  const kept = ['ONWARD_DATA_DIR', 'ONWARD_DATABASE_URL', 'ONWARD_SITE_KEY_FILE', 'ONWARD_PORT'];
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('ONWARD_') || kept.includes(name)),
  );
}

/** A referral of a real patient, whose service and practice the live site has still to tell. */
async function queueRealReferral(url: string): Promise<void> {
  const database = connect({ connectionString: url }, createLog('silent'));
  const platform = testPlatform('live', { db: database.db, clock: manualClock(), dataDir: '/nowhere' });
  const referral = await storeReferral(database.pool, { simulated: false });
  await tellOfChange(platform, referral, null);
  await database.close();
}

async function deliveryStatuses(site: SiteProcess): Promise<string[]> {
  const deliveries = await inDatabaseOf(site, ({ db }) => storedDeliveries(db));
  return deliveries.map(({ status }) => status);
}
