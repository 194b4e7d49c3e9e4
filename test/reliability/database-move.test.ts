import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, openEmbeddedDatabase } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { manualClock } from '../app/manual-clock.ts';
import { until } from '../app/until.ts';
import { lockRestoreMark } from '../database/lock-restore-mark.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { createDatabase, dropDatabase, urlOf } from '../database/test-database.ts';
import { storedDeliveries } from '../delivery/stored.ts';
import { storeReferral, tellOfChange, testPlatform } from '../delivery/test-site.ts';
import { apiClient, sampleKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { readySite } from '../process/ready-site.ts';
import { runCommand, runProgram } from '../process/run-program.ts';
import { freePort, type SiteProcess } from '../process/site-process.ts';

// A small site has grown, and moves from the PostgreSQL in its data directory to an outside one. With TEST_DATABASE_URL the
// outside one is that server.

let site: SiteProcess;
let name: string;
let url: string;

beforeEach(async () => {
  // An empty address counts as none.
  site = await readySite({ ONWARD_DATABASE_URL: '' });
  name = `onward_move_${randomBytes(6).toString('hex')}`;
  await createDatabase(name);
  url = urlOf(name);
});
afterEach(async () => {
  await site.remove();
  await dropDatabase(name);
});

const onward = (...words: string[]) => runCommand(words, site.env);
const move = () => onward('database', 'move', url, '--json');
const refused = (reason: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(reason) });

/** The site's environment once its operator has set what the command says. */
const moved = () => ({ ...site.env, ONWARD_DATABASE_URL: url });
const start = (env: NodeJS.ProcessEnv) => runProgram(['src/main.ts'], env);

// Refusals and kills are tried in the pass on an outside server alone, since each starts a site of its own.
const isOutside = process.env.TEST_DATABASE_URL !== undefined;

describe('moving a site to an outside PostgreSQL', () => {
  it('brings people, keys, referrals, deliveries and the audit', async () => {
    const { access } = await sampleKeys(site, 'referrer');
    await site.stop();
    await queueReferral();
    expect(await deliveryStatuses()).toContain('queued');
    const ended = await move();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const report = JSON.parse(ended.stdout);
    expect(report).toMatchObject({
      rows: expect.toSatisfy((rows: number) => rows > 100),
      audit_links: expect.toSatisfy((links: number) => links > 0),
      settings: { ONWARD_DATABASE_URL: url },
      old_database: join(site.dataDir, 'postgres'),
    });
    expect((await readdir(site.dataDir)).filter((file) => file.startsWith('moving'))).toEqual([]);

    // Without the new setting nothing starts, neither while the old database is there nor afterwards.
    const hasMoved = 'is the database of before the move';
    expect(await start(site.env)).toMatchObject(refused(hasMoved));
    expect(await onward('account', 'list')).toMatchObject(refused(hasMoved));
    expect(await move()).toMatchObject(refused('The site has moved to this database already'));
    await rm(report.old_database, { recursive: true });
    expect(await start(site.env)).toMatchObject(refused('ONWARD_DATABASE_URL is not set'));

    site = await startAgain(moved());
    expect((await apiClient(site.baseUrl, access).get('/api/token/status')).status).toBe(200);
    const again = pageVisitor(site.baseUrl);
    await again.signIn(site.logins.referrer);
    expect((await again.visit('/referrals')).status).toBe(200);
    await until(async () => !(await deliveryStatuses()).some((status) => /queued|sending/.test(status)));
    expect(await deliveryStatuses()).not.toEqual([]);
    const { checks } = JSON.parse((await onward('site', 'check', '--json')).stdout);
    const found = checks.filter(({ name }: { name: string }) => ['audit', 'site'].includes(name));
    expect(found.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true]);
  });

  it.runIf(isOutside)('is refused while the site runs, and once it is outside', async () => {
    expect(await move()).toMatchObject(
      refused(`Another Onward site (process ${site.process.pid}) is running`),
    );
    await site.stop();
    const elsewhere = await runCommand(['database', 'move', url], moved());
    expect(elsewhere).toMatchObject(refused('ONWARD_DATABASE_URL is set'));
  });

  it.runIf(isOutside)('is refused where the address is wrong, and changes nothing', async () => {
    await site.stop();
    const nowhere = `postgres://onward@127.0.0.1:${await freePort()}/onward`;
    for (const [wrong, reason] of [
      ['mysql://127.0.0.1/onward', 'is not a postgres:// address'],
      [nowhere, 'nothing answers at this host and port'],
      [urlOf('no_such_database'), 'no database of this name'],
    ] as const)
      expect(await onward('database', 'move', wrong), wrong).toMatchObject(refused(reason));
    expect(existsSync(join(site.dataDir, 'outside-database.json'))).toBe(false);
    site = await site.restart();
  });
});

describe.runIf(isOutside)('a move that is killed', () => {
  it('leaves the site as it was; the target says what to do', async () => {
    await site.stop();
    const killed = await killMove('access exclusive', async () => undefined);
    expect(killed).toBe('SIGKILL');
    expect(await start(moved())).toMatchObject(refused('onward -- database move URL'));
    site = await site.restart();
    await site.stop();
    expect(await move()).toMatchObject({ code: 0, stderr: '' });
    site = await startAgain(moved());
  });

  it('leaves one database to go on with, not two, at its very end', async () => {
    await site.stop();
    const isNoted = () => existsSync(join(site.dataDir, 'outside-database.json'));
    const killed = await killMove('access share', () => until(isNoted));
    expect(killed).toBe('SIGKILL');
    expect(await start(site.env)).toMatchObject(refused('ONWARD_DATABASE_URL is not set'));
    expect(await start(moved())).toMatchObject(refused('onward -- database move URL'));
    expect(await move()).toMatchObject({ code: 0, stderr: '' });
    site = await startAgain(moved());
  });
});

async function startAgain(env: NodeJS.ProcessEnv): Promise<SiteProcess> {
  Object.assign(site.env, env);
  return site.restart();
}

/** A referral that the stopped site has still to deliver. */
async function queueReferral(): Promise<void> {
  const { dataDir } = site;
  const own = await openEmbeddedDatabase({ dataDir, purpose: 'command' });
  const database = connect(own.connection, createLog('silent'));
  const platform = testPlatform('test', { db: database.db, clock: manualClock(), dataDir });
  await tellOfChange(platform, await storeReferral(database.pool, { simulated: true }), null);
  await database.close();
  await own.release();
}

async function deliveryStatuses(): Promise<string[]> {
  const deliveries = await inDatabaseOf(site, ({ db }) => storedDeliveries(db));
  return deliveries.map(({ status }) => status);
}

/** Kills the command at a moment at which the target's restore mark is locked, and it must wait. @returns what ended it. */
async function killMove(
  lock: Parameters<typeof lockRestoreMark>[1],
  reached: () => Promise<unknown>,
): Promise<NodeJS.Signals> {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'database', 'move', url], { env: site.env });
  const unlock = await lockRestoreMark(url, lock);
  await reached();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  const [, signal] = await ended;
  await unlock();
  return signal;
}
