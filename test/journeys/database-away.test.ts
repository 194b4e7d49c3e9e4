import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { apiClient, copyKeys } from '../api-client.ts';
import { aReferral } from '../builders.ts';
import { pageVisitor } from '../page-visitor.ts';
import { countDeliveries, everyReferral, startLoad } from '../referral-load.ts';
import { type SiteProcess, startSiteProcess, until } from '../site-process.ts';

// The database goes away while people work. Everybody is told so at once and plainly; nothing that was acknowledged is lost;
// and when it is back, all is well without anybody's doing.

const ownDatabase = process.env.TEST_DATABASE_URL === undefined;
const clients = 4;

let site: SiteProcess | undefined;
afterEach(async () => {
  await site?.remove();
  site = undefined;
});

test.runIf(ownDatabase).each(['SIGKILL', 'SIGINT'] as const)(
  'the site’s own PostgreSQL ends by %s under load',
  async (signal) => {
    site = await startSiteProcess();
    await goThrough(site, async () => {
      process.kill(serverOf(site!), signal);
    });
  },
);

test.runIf(!ownDatabase)(
  'an outside PostgreSQL ends every connection under load, again and again',
  async () => {
    site = await startSiteProcess();
    await goThrough(site, () => endConnections(site!.env.ONWARD_DATABASE_URL!));
  },
);

/** What must hold while the database is away, and afterwards. */
async function goThrough({ baseUrl, logins }: SiteProcess, takeAway: () => Promise<void>): Promise<void> {
  const person = pageVisitor(baseUrl);
  await person.signIn(logins.referrer);
  const token = (await copyKeys(person)).access;
  const { contents } = (await apiClient(baseUrl, token).get('/api/library/services?search=befriending')).body;
  const body = aReferral(contents[0].id, { gp_practice: { ods_code: 'Z99001' }, allow_duplicate: true });
  const load = startLoad({ baseUrl, token, bodies: [body], clients });
  const looks = startLooking(baseUrl, person);
  await until(() => load.acknowledged.size >= 10, 30_000);
  for (let time = 0; time < 3; time += 1) {
    const before = load.acknowledged.size;
    await takeAway();
    await until(() => load.acknowledged.size >= before + 10, 30_000);
  }
  await load.stop();
  const answers = await looks.stop();
  expect(load.faults).toEqual([]);
  expect(load.seen.cut).toBe(0);
  expect(load.seen.unavailable).toBeGreaterThan(0);
  expect([...answers.alive]).toEqual([200]);
  expect([...answers.ready].sort()).toEqual([200, 503]);
  expect([...answers.page].sort()).toEqual(['503 Sorry, there is a problem', 'as ever']);

  await until(async () => (await fetch(`${baseUrl}/readyz`)).status === 200, 10_000);
  await until(
    async () => (await countDeliveries(baseUrl, token, ['queued', 'sending', 'uncertain'])) === 0,
    60_000,
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
      answers.page.add(status === 200 ? 'as ever' : `${status} ${/Sorry, there is a problem/.exec(text)}`);
      await delay(10);
    }
  };
  const looking = look();
  return {
    async stop() {
      going = false;
      await looking;
      return answers;
    },
  };
}

function serverOf({ dataDir }: SiteProcess): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}
