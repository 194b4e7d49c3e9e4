import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { setServiceAddress } from '../../test/delivery/messages.ts';
import { jobsFor, storeReferral, tellOfChange, testPlatform } from '../../test/delivery/test-site.ts';
import { aHangingSystem } from '../../test/hanging-system.ts';
import { manualClock } from '../../test/manual-clock.ts';
import { until } from '../../test/until.ts';
import { webhookReceiver } from '../../test/webhook-receiver.ts';
import { type Database, inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { addJobs, startWorker } from '../platform/jobs/index.ts';
import { newSigningSecret } from '../platform/outbound/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Channel } from './channels/channel.ts';
import { type Channels, createChannels } from './channels/index.ts';
import { createWebhook } from './channels/webhook.ts';
import { deliverBy } from './deliver.ts';
import { deliverNewBy } from './deliver-new.ts';
import { listDeliveriesOf } from './store.ts';
import { watchDeliveries } from './watch-deliveries.ts';

const clock = manualClock();
let database: Database;
let live: Platform;
let site: Platform;
let channels: Channels;
let healthy: Awaited<ReturnType<typeof webhookReceiver>>;

beforeAll(async () => {
  database = await testDatabase();
  const given = { db: database.db, clock, dataDir: tmpdir() };
  live = testPlatform('live', given);
  site = testPlatform('test', given);
  healthy = await webhookReceiver();
  const { live: others, sinkFor } = createChannels(live);
  channels = { live: [callingThisComputer(), ...others.filter(({ name }) => name !== 'webhook')], sinkFor };
  await database.pool.query(
    `with home as (
       insert into organisations (id, name, library_organization_id, created_at)
       values ($1, 'Sarrowby Arts Trust', 'arts-trust', now()))
     insert into accounts (id, email, name, roles, organisation_id, created_at)
     values ($2, 'robin@example.org', 'Robin Hale', '{provider}', $1, now())`,
    [newId(), newId()],
  );
});
afterAll(async () => {
  healthy.close();
  await database.close();
});

/** The live channel by a test site’s rules, which let it call this computer; and it never tires of waiting. */
function callingThisComputer(): Channel {
  return {
    ...createWebhook(site),
    async send(_message, { address, headers, body }) {
      const { status } = await fetch(address, { method: 'POST', headers, body });
      return { status: 'sent', detail: `Their system took it (${status}).` };
    },
  };
}

/** A referral to a service whose system is there; or to one that looks into its inbox. @returns its delivery. */
async function aReferral(url?: string) {
  const serviceId = newId();
  const referral = await storeReferral(database.pool, {
    service_id: serviceId,
    simulated: false,
    gp_practice: null,
  });
  if (url !== undefined) {
    const secret = site.secrets.seal('delivery webhook', serviceId, newSigningSecret());
    await setServiceAddress(database, { serviceId, channel: 'webhook', address: url, secret });
    const settings = `insert into service_referral_settings (service_id, channels) values ($1, '{webhook}')`;
    await database.pool.query(settings, [serviceId]);
  }
  await tellOfChange(live, referral, null);
  return async () => (await listDeliveriesOf(database.db, referral.id)).find(({ leg }) => leg === 'service')!;
}

const startWork = () =>
  startWorker({
    database,
    schedule: [],
    log: live.log,
    handlers: {
      deliver: (job: { delivery_id: string; receiver?: string }) =>
        deliverBy(live, channels, job.delivery_id, job.receiver),
      'deliver-new': (job: { delivery_ids: string[] }) => deliverNewBy(live, channels, job.delivery_ids),
      'watch-deliveries': () => watchDeliveries(live),
    },
  });

async function unanswered(id: string): Promise<boolean> {
  const { rows } = await database.pool.query('select kind from worklist where delivery_id = $1', [id]);
  return rows[0]?.kind === 'unanswered';
}

test('systems that hang keep nobody else waiting, however many referrals there are to them', async () => {
  const hanging = [await aHangingSystem(), await aHangingSystem()] as const;
  const [one, other] = hanging;
  const stuck = [];
  for (const { url } of [one, other, one, one, other, other]) stuck.push(await aReferral(url));
  const worker = await startWork();
  try {
    await until(() => one.calls() > 0 && other.calls() > 0);

    const first = await aReferral(healthy.url);
    const inside = await aReferral();
    await until(async () => (await first()).status === 'sent');
    await until(async () => (await inside()).status === 'received');

    clock.moveOn(25 * 3_600_000);
    await inTransaction(database.db, (trx) => addJobs(trx, 'watch-deliveries', [{}]));
    const { id } = await inside();
    await until(() => unanswered(id));

    expect([one.calls(), other.calls()]).toEqual([1, 1]);
    const statuses = await Promise.all(stuck.map(async (delivery) => (await delivery()).status));
    expect(statuses.sort()).toEqual(['queued', 'queued', 'queued', 'queued', 'sending', 'sending']);
  } finally {
    for (const { close } of hanging) close();
    await worker.stop();
  }
});

test('a job that does not know yet whom it speaks to, as those of older sites, waits for its turn first', async () => {
  healthy.received.length = 0;
  const delivery = await aReferral(healthy.url);
  const { id } = await delivery();
  await database.pool.query('delete from graphile_worker._private_jobs');
  await deliverBy(live, channels, id);
  expect(healthy.received).toHaveLength(0);
  expect(await jobsFor(database.pool, id)).toHaveLength(1);
  const { rows } = await database.pool.query('select payload, flags from graphile_worker._private_jobs');
  const { host } = new URL(healthy.url);
  const flags = { outside: true, [`to ${host}`]: true };
  expect(rows).toEqual([{ payload: { delivery_id: id, receiver: host }, flags }]);
  await deliverBy(live, channels, id, host);
  expect(healthy.received).toHaveLength(1);
  expect((await delivery()).status).toBe('sent');
});
