import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endKeysSilently } from '../accounts/stored.ts';
import { aReferral } from '../app/builders.ts';
import { countDeliveries, everyReferral, startLoad } from '../app/referral-load.ts';
import { until } from '../app/until.ts';
import { endConnections } from '../database/end-connections.ts';
import { smallDisk } from '../database/small-disk.ts';
import { apiClient, sampleKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { serverOf } from '../process/kill-site.ts';
import { readySite } from '../process/ready-site.ts';
import { type SiteProcess, startSiteProcess } from '../process/site-process.ts';

// The database goes away while people work. Everybody is told so at once and plainly; nothing that was acknowledged is lost;
// and when it is back, all is well without anybody's doing.

const ownDatabase = process.env.TEST_DATABASE_URL === undefined;
const clients = 4;
/** A job that failed each time waits longer each time: after four it is a minute. */
const settledWithinMs = 300_000;

let site: SiteProcess | undefined;
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    console.error(`The site’s log ended:\n${site?.output().stderr.slice(-20_000)}`);
  await site?.remove();
  site = undefined;
});

const disk = ownDatabase ? smallDisk(260 * 1024) : undefined;
afterAll(() => disk?.remove());

describe('a site whose database goes away', () => {
  it.runIf(ownDatabase).each(['SIGKILL', 'SIGINT'] as const)(
    'loses no referral when its own PostgreSQL ends by %s',
    async (signal) => {
      site = await readySite();
      await goThrough(site, async () => {
        process.kill(serverOf(site!)!, signal);
      });
    },
    2 * settledWithinMs,
  );

  it.runIf(!ownDatabase)(
    'loses no referral when an outside one ends all connections',
    async () => {
      site = await readySite();
      await goThrough(site, () => endConnections(site!.env.ONWARD_DATABASE_URL!));
    },
    2 * settledWithinMs,
  );

  it.runIf(!ownDatabase)('honours no key that was revoked meanwhile', async () => {
    site = await readySite();
    const { baseUrl, logins, env, output } = site;
    const api = apiClient(baseUrl, (await sampleKeys({ baseUrl, logins }, 'referrer')).access);
    const status = async () => (await api.get('/api/token/status')).status;
    expect(await status()).toBe(200);
    // Revoked while the listening connection is down, so no notification arrives.
    await endConnections(env.ONWARD_DATABASE_URL!, (db) => endKeysSilently(db, logins.referrer.email));
    await until(() => output().stderr.includes('the listening connection was lost'));
    let first = 503;
    await until(async () => {
      first = await status();
      return first !== 503;
    });
    expect(first).toBe(401);
  });

  it.runIf(disk?.isThere)(
    'loses no referral while its PostgreSQL’s disk is full',
    async () => {
      site = await startSiteProcess({ ONWARD_DATA_DIR: join(disk!.folder, 'data') });
      const { baseUrl, logins } = site;
      const { load, token } = await startReferring(baseUrl, logins);
      await until(() => load.acknowledged.size >= 10);
      disk!.fill();
      await until(() => load.seen.unavailable >= 50);
      for (const [path, status] of [
        ['healthz', 200],
        ['readyz', 503],
      ] as const)
        expect((await fetch(`${baseUrl}/${path}`)).status).toBe(status);
      disk!.makeRoom();
      const before = load.acknowledged.size;
      await until(() => load.acknowledged.size >= before + 10);
      await load.stop();
      expect(load.seen.disconnected).toBe(0);
      await eachOnce(baseUrl, token, load);
    },
    2 * settledWithinMs,
  );
});

/** What must hold while the database is away, and afterwards. */
async function goThrough({ baseUrl, logins }: SiteProcess, takeAway: () => Promise<void>): Promise<void> {
  const person = pageVisitor(baseUrl);
  await person.signIn(logins.referrer);
  const { load, token } = await startReferring(baseUrl, logins);
  const looks = startLooking(baseUrl, person);
  await until(() => load.acknowledged.size >= 10);
  // An outage may be shorter than the time between two looks, so it is repeated until both have seen one.
  for (let time = 0; time < 3 || (time < 30 && !looks.haveSeenIt()); time += 1) {
    const before = load.acknowledged.size;
    await takeAway();
    await until(() => load.acknowledged.size >= before + 10);
  }
  await load.stop();
  const answers = await looks.stop();
  expect(load.seen.disconnected).toBe(0);
  expect(load.seen.unavailable).toBeGreaterThan(0);
  expect([...answers.alive]).toEqual([200]);
  expect([...answers.ready].sort()).toEqual([200, 503]);
  expect([...answers.page].sort()).toEqual(['503 Sorry, there is a problem', 'answered']);

  await until(async () => (await fetch(`${baseUrl}/readyz`)).status === 200);
  await eachOnce(baseUrl, token, load);
}

async function startReferring(baseUrl: string, logins: SiteProcess['logins']) {
  const token = (await sampleKeys({ baseUrl, logins }, 'referrer')).access;
  const { contents } = (await apiClient(baseUrl, token).get('/api/library/services?search=befriending')).body;
  const body = aReferral(contents[0].id, { gp_practice: { ods_code: 'Z99001' }, allow_duplicate: true });
  return { token, load: startLoad({ baseUrl, token, bodies: [body], clients }) };
}

/** Nothing but what the clients were to expect was answered; each referral is there once, and is on its way no more. */
async function eachOnce(baseUrl: string, token: string, load: ReturnType<typeof startLoad>): Promise<void> {
  expect(load.failures).toEqual([]);
  await until(
    async () => (await countDeliveries(baseUrl, token, ['queued', 'sending', 'uncertain'])) === 0,
    settledWithinMs,
  );
  const stored = await everyReferral(baseUrl, token);
  expect(stored.map(({ id }) => id).sort()).toEqual([...load.acknowledged.values()].sort());
}

/** Somebody who looks, all the time, at what a load balancer asks and at a page. */
function startLooking(baseUrl: string, person: ReturnType<typeof pageVisitor>) {
  const answers = { alive: new Set<number>(), ready: new Set<number>(), page: new Set<string>() };
  let going = true;
  const look = async () => {
    while (going) {
      answers.alive.add((await fetch(`${baseUrl}/healthz`)).status);
      answers.ready.add((await fetch(`${baseUrl}/readyz`)).status);
      const { status, text } = await person.visit('/referrals');
      answers.page.add(status === 200 ? 'answered' : `${status} ${/Sorry, there is a problem/.exec(text)}`);
      await delay(10);
    }
  };
  const looking = look();
  // If the test fails meanwhile, the site is removed before anybody waits for this.
  looking.catch(() => undefined);
  return {
    /** Whether a program and a page have both met an outage. */
    haveSeenIt: () => answers.ready.size > 1 && answers.page.size > 1,
    async stop() {
      going = false;
      await looking;
      return answers;
    },
  };
}
