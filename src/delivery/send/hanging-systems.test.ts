import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listJobs, takeJobs } from '../../../test/app/jobs.ts';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { until } from '../../../test/app/until.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { createServiceCalledAt } from '../../../test/delivery/receivers.ts';
import { jobsFor, storeReferral, tellOfChange, testPlatform } from '../../../test/delivery/test-site.ts';
import { aHangingSystem } from '../../../test/network/hanging-system.ts';
import { webhookReceiver } from '../../../test/network/webhook-receiver.ts';
import { createAccount } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { type Database, inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs, startWorker } from '../../platform/jobs/index.ts';
import type { Channel } from '../channels/channel.ts';
import type { Channels, DeliveryDeps } from '../channels/deps.ts';
import { createWebhook } from '../channels/webhook.ts';
import { watchDeliveries } from '../follow-up/watch-deliveries.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { findUndelivered } from '../undelivered/list-store.ts';
import { deliver } from './deliver.ts';
import { deliverNew } from './deliver-new.ts';

const clock = manualClock();
let database: Database;
let live: DeliveryDeps;
let site: DeliveryDeps;
let channels: Channels;
let patientChannels: Channels;
let healthy: Awaited<ReturnType<typeof webhookReceiver>>;

beforeAll(async () => {
  database = await testDatabase();
  const given = { db: database.db, clock, dataDir: tmpdir() };
  live = testPlatform('live', given);
  site = testPlatform('test', given);
  healthy = await webhookReceiver();
  channels = channelsWith(createWebhook(site));
  patientChannels = channelsWith(neverTired(createWebhook(site)));
  await createAccount(live, siteActor, {
    email: 'robin@example.org',
    name: 'Robin Hale',
    roles: ['provider'],
    organisation: { name: 'Sarrowby Arts Trust', libraryOrganizationId: 'arts-trust' },
    hasApiAccess: false,
    password: 'a long enough password',
  });
});
const forgetJobs = async () => void (await takeJobs(database.pool));
beforeEach(forgetJobs);
afterAll(async () => {
  healthy.close();
  await database.close();
});

/** A live site's channels; but systems are called by a test site’s rules, which let it call this computer. */
function channelsWith(webhook: Channel): Channels {
  const { outgoing, capturing } = live.channels;
  return { outgoing: [webhook, ...outgoing.filter(({ name }) => name !== webhook.name)], capturing };
}

/** Waits for an answer without the usual limit of ten seconds. */
function neverTired(webhook: Channel): Channel {
  return {
    ...webhook,
    async send(_message, { address, headers, body }) {
      const { status } = await fetch(address, { method: 'POST', headers, body });
      return { status: 'sent', detail: `Their system accepted it (${status}).` };
    },
  };
}

/** A referral to a service whose system is there; or to one that looks into its inbox. @returns its delivery. */
async function aReferral(url?: string) {
  const service_id = url === undefined ? newId() : await createServiceCalledAt(site, url);
  const referral = await storeReferral(database.pool, { service_id, simulated: false, gp_practice: null });
  await tellOfChange(live, referral, null);
  return async () => (await listDeliveriesOf(database.db, referral.id)).find(({ leg }) => leg === 'service')!;
}

const startWork = (by: Channels) =>
  startWorker({
    database,
    schedule: [],
    log: live.log,
    handlers: {
      deliver: (job: { delivery_id: string; receiver?: string }) => deliver({ ...live, channels: by }, job),
      'deliver-new': (job: { delivery_ids: string[] }) => deliverNew({ ...live, channels: by }, job),
      'watch-deliveries': () => watchDeliveries(live),
    },
  });

/** Work that calls no other system goes on: an inbox gets its referral, and after a day the silence is noticed. */
async function inboxAndWatchGoOn(): Promise<void> {
  const inside = await aReferral();
  await until(async () => (await inside()).status === 'received');
  clock.moveOn(25 * 3_600_000);
  await inTransaction(database.db, (trx) => addJobs(trx, 'watch-deliveries', [{}]));
  const { id } = await inside();
  await until(async () => (await findUndelivered(database.db, id))!.worklist?.kind === 'unanswered');
}

describe('systems that hang', () => {
  it('keep nobody else waiting, however many referrals they get', async () => {
    const hanging = [await aHangingSystem(), await aHangingSystem()] as const;
    const [one, other] = hanging;
    const stuck = [];
    for (const { url } of [one, other, one, one, other, other]) stuck.push(await aReferral(url));
    const worker = await startWork(patientChannels);
    try {
      await until(() => one.calls() > 0 && other.calls() > 0);

      const first = await aReferral(healthy.url);
      await until(async () => (await first()).status === 'sent');
      await inboxAndWatchGoOn();

      expect([one.calls(), other.calls()]).toEqual([1, 1]);
      const statuses = await Promise.all(stuck.map(async (delivery) => (await delivery()).status));
      expect(statuses.sort()).toEqual(['queued', 'queued', 'queued', 'queued', 'sending', 'sending']);
    } finally {
      for (const { close } of hanging) close();
      await worker.stop();
    }
  });

  it('delay others only until one call is given up', async () => {
    const hanging = await Promise.all(Array.from({ length: 5 }, aHangingSystem));
    for (const { url } of [...hanging, ...hanging, ...hanging]) await aReferral(url);
    const calls = () => hanging.map((system) => system.calls()).sort();
    let callsBefore: number[] = [];
    healthy.answer = (response, event) => {
      callsBefore = calls();
      healthy.works(response, event);
    };
    const worker = await startWork(channels);
    try {
      await until(() => calls().filter((each) => each > 0).length === 4);
      const first = await aReferral(healthy.url);
      await inboxAndWatchGoOn();
      // A call that waits for its answer holds no connection of the pool. The one busy connection is the queue's, which
      // listens.
      await until(() => database.pool.totalCount - database.pool.idleCount === 1);

      await until(async () => (await first()).status === 'sent');
      // The fifth got the first free slot, and at most two others one after it. Then one slot was left.
      const sum = callsBefore.reduce((before, each) => before + each);
      expect(sum).toBeLessThanOrEqual(7);
    } finally {
      healthy.answer = healthy.works;
      for (const { close } of hanging) close();
      await worker.stop();
    }
  });

  it('do not delay a job that learns its receiver late', async () => {
    healthy.received.length = 0;
    const delivery = await aReferral(healthy.url);
    const { id } = await delivery();
    await forgetJobs();
    await deliver({ ...live, channels }, { delivery_id: id });
    expect(healthy.received).toHaveLength(0);
    expect(await jobsFor(database.pool, id)).toHaveLength(1);
    const { host } = new URL(healthy.url);
    expect((await listJobs(database.pool)).map(({ flags }) => flags)).toEqual([
      [`about ${id}`, 'outside', `to ${host}`],
    ]);
    const payload = { delivery_id: id, receiver: host };
    expect(await takeJobs(database.pool)).toEqual([{ name: 'deliver', payload }]);
    await deliver({ ...live, channels }, { delivery_id: id, receiver: host });
    expect(healthy.received).toHaveLength(1);
    expect((await delivery()).status).toBe('sent');
  });
});
