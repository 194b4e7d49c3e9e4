import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { countDeliveries } from '../../src/delivery/model/deliveries-store.ts';
import { aReferral } from '../app/builders.ts';
import { everyReferral, startLoad } from '../app/referral-load.ts';
import { until } from '../app/until.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { storedAttempts, storedDeliveries } from '../delivery/stored.ts';
import { apiClient, copyKeys, sampleKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { killWithDatabase } from '../process/kill-site.ts';
import { readySite } from '../process/ready-site.ts';
import type { SiteProcess } from '../process/site-process.ts';
import { arrivedAt } from '../rehearsal/arrived.ts';
import { channelPairs, weirHouse } from '../rehearsal/channel-pairs.ts';
import { rehearsalFixture } from '../rehearsal/fixture.ts';
import { type Person, patient, signedIn } from '../rehearsal/people.ts';
import { setChannels, setUpByCommands } from '../rehearsal/set-up.ts';

// The promise that matters most: a referral that was acknowledged is stored once and delivered once, even if the site
// is killed. If nobody can tell whether it was delivered, it says so and is on somebody's list.

/** How often each site is killed. CONTRIBUTING.md says how to run it with more. */
const kills = Number(process.env.TEST_KILLS ?? 2);
const isLong = kills > 2;
const clients = 4;
const ownDatabase = process.env.TEST_DATABASE_URL === undefined;
/** Enough for every delivery to end, also when an uncertain one is tried twice more, a minute apart. */
const timeoutMs = 300_000;
const timeLimit = 3 * timeoutMs + kills * 60_000;

let end: (() => Promise<void>) | undefined;
afterEach(() => end?.());

describe('sites that are killed under load', () => {
  it(
    `on a test site have each referral and message once (${kills} kills)`,
    async () => {
      let site = await readySite();
      end = () => site.remove();
      const { baseUrl, logins } = site;
      const token = await tokenOf(site);
      const { contents } = (await apiClient(baseUrl, token).get('/api/library/services?search=befriending'))
        .body;
      const body = aReferral(contents[0].id, { gp_practice: { ods_code: 'Z99001' }, allow_duplicate: true });
      const load = startLoad({ baseUrl, token, bodies: [body], clients });
      for (let round = 0; round < kills; round += 1) {
        await aWhile(load);
        await kill(site, round);
        site = await site.restart();
      }
      await load.stop();
      const stored = await eachOnce(load, baseUrl, token);
      await untilNone(site, ['queued', 'sending']);
      for (const { deliveries } of await everyReferral(baseUrl, token)) {
        const statuses = deliveries.map(({ leg, status }: Record<string, string>) => `${leg} ${status}`);
        expect(statuses.sort()).toEqual(['gp_practice sent', 'service received']);
      }
      expect(await countCaptured(baseUrl, logins.referrer)).toBe(2 * stored);
    },
    timeLimit,
  );

  it(
    `on a live site send each once or mark it uncertain (${kills} kills)`,
    async () => {
      const fixture = await rehearsalFixture();
      end = () => fixture.close();
      const people = ['operator', 'referrer', 'provider'].map((role) => ({
        email: `live-${role}@example.org`,
        name: role,
        role,
        organisation: role === 'provider' ? weirHouse.name : 'Council',
      }));
      await setUpByCommands(fixture, people);
      const operator = await signedIn(fixture, 'live-operator@example.org');
      await setChannels(fixture, operator);
      const baseUrl = `http://127.0.0.1:${fixture.env.ONWARD_PORT}`;
      const token = (await copyKeys(await signedIn(fixture, 'live-referrer@example.org'))).access;
      const bodies = channelPairs.map(({ id, practice }) =>
        aReferral(id, { patient, gp_practice: { ods_code: practice }, allow_duplicate: true }),
      );
      const load = startLoad({ baseUrl, token, bodies, clients });
      for (let round = 0; round < kills; round += 1) {
        await aWhile(load);
        await fixture.killAndRestart((site) => kill(site, round));
      }
      await load.stop();
      await eachOnce(load, baseUrl, token);
      await untilNone(fixture.site, ['queued', 'sending']);
      await judgeArrivals(fixture, operator);
      if (!isLong) return;
      // After a minute what is uncertain is asked after, or sent again.
      await untilNone(fixture.site, ['queued', 'sending', 'uncertain']);
      await judgeArrivals(fixture, operator);
    },
    timeLimit,
  );
});

async function tokenOf({ baseUrl, logins }: SiteProcess): Promise<string> {
  return (await sampleKeys({ baseUrl, logins }, 'referrer')).access;
}

/** Until no delivery has one of these statuses. Asks the database, because listing by the API would load the site. */
async function untilNone(site: SiteProcess, awaited: string[]): Promise<void> {
  const statuses = () => inDatabaseOf(site, ({ db }) => countDeliveries(db));
  await until(async () => !(await statuses()).some(({ status }) => awaited.includes(status)), timeoutMs);
}

/** Until some more were acknowledged, and then to some point within the next one. */
async function aWhile({ acknowledged }: ReturnType<typeof startLoad>): Promise<void> {
  const goal = acknowledged.size + 1 + Math.floor(Math.random() * 15);
  await until(() => acknowledged.size >= goal);
  await delay(Math.random() * 50);
}

/** Every other time its PostgreSQL dies with it, and has to recover. */
function kill(site: SiteProcess, round: number): Promise<void> {
  return ownDatabase && round % 2 === 1 ? killWithDatabase(site) : site.kill();
}

/** @returns how many there are. */
async function eachOnce(load: ReturnType<typeof startLoad>, baseUrl: string, token: string): Promise<number> {
  expect(load.failures).toEqual([]);
  expect(load.seen.disconnected).toBeGreaterThan(0);
  const stored = await everyReferral(baseUrl, token);
  expect(stored.map(({ id }) => id).sort()).toEqual([...load.acknowledged.values()].sort());
  return stored.length;
}

type Fixture = Awaited<ReturnType<typeof rehearsalFixture>>;
type JudgedDelivery = Awaited<ReturnType<typeof deliveriesWithOutcomes>>[number];

async function deliveriesWithOutcomes({ site }: Fixture) {
  const [deliveries, attempts] = await inDatabaseOf(site, ({ db }) =>
    Promise.all([storedDeliveries(db), storedAttempts(db)]),
  );
  const attemptsOf = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return deliveries.map((delivery) => ({
    ...delivery,
    outcomes: (attemptsOf.get(delivery.id) ?? []).map(({ outcome }) => outcome),
  }));
}

/**
 * Every delivery came to its receiver as one message. After a kill that left it in doubt, it may have come again with the
 * same bytes and the same id, by which the receiver recognises it; or it is uncertain,
 * and an operator has it on the list.
 */
async function judgeArrivals(fixture: Fixture, operator: Person): Promise<void> {
  const deliveries = await deliveriesWithOutcomes(fixture);
  const arrived = await arrivedAt(fixture);
  const worklist = await onWorklist(operator);
  const wrong = deliveries.filter((delivery) => {
    const copies = arrived.get(delivery.message_id!) ?? [];
    const doubted = delivery.outcomes.includes('uncertain');
    const asItShould =
      delivery.status === 'uncertain'
        ? worklist.has(delivery.id)
        : ended[delivery.channel!] === delivery.status;
    const told = delivery.channel === 'inbox' || delivery.status === 'uncertain' || copies.length > 0;
    const once = copies.length <= 1 || (doubted && new Set(copies).size === 1);
    return !(asItShould && told && once);
  });
  expect(wrong).toEqual([]);
  const known = new Set(deliveries.map(({ message_id }) => message_id));
  expect([...arrived.keys()].filter((id) => !known.has(id))).toEqual([]);
  report(deliveries, arrived);
}

const ended: Readonly<Record<string, string>> = {
  inbox: 'received',
  email: 'sent',
  webhook: 'sent',
  document: 'sent',
  mesh: 'sent',
};

async function onWorklist(operator: Person): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor = '';
  do {
    const next = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await operator.api.get(`/api/deliveries?kind=uncertain&limit=200${next}`);
    for (const { id } of body.items) ids.add(id);
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  return ids;
}

function report(deliveries: readonly JudgedDelivery[], arrived: Map<string, string[]>): void {
  const uncertain = deliveries.filter(({ status }) => status === 'uncertain').length;
  const interrupted = deliveries.filter(({ outcomes }) => outcomes.includes('interrupted')).length;
  const doubted = deliveries.filter(({ outcomes }) => outcomes.includes('uncertain')).length;
  const again = [...arrived.values()].filter(({ length }) => length > 1).length;
  const figures = { kills, deliveries: deliveries.length, interrupted, doubted, again, uncertain };
  if (isLong) console.log(JSON.stringify(figures));
}

async function countCaptured(baseUrl: string, login: SiteProcess['logins']['referrer']): Promise<number> {
  const person = pageVisitor(baseUrl);
  await person.signIn(login);
  const seen = new Set<string>();
  let next: string | undefined = '/outbox';
  while (next) {
    const { page } = await person.visit(next);
    for (const link of page.querySelectorAll('main tbody a[href^="/outbox/"]'))
      seen.add(link.getAttribute('href')!);
    next = page.querySelector('a[href*="cursor="], a[rel="next"]')?.getAttribute('href');
  }
  return seen.size;
}
