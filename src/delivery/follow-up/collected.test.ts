import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { takeJobs } from '../../../test/app/jobs.ts';
import { deleteConnectionFailures } from '../../../test/app/stored.ts';
import type { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { meshChannelFixture } from '../../../test/delivery/mesh-channel-fixture.ts';
import { setServiceAddress, storePractice } from '../../../test/delivery/receivers.ts';
import { deleteDeliveries, messageIdOf } from '../../../test/delivery/stored.ts';
import { storeReferral, tellOfChange } from '../../../test/delivery/test-site.ts';
import { setChannels } from '../../../test/library/stored.ts';
import { listConnectionFailures } from '../../platform/connections/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { DeliveryLeg } from '../../referrals/index.ts';
import { exchangeSystem } from '../channels/mesh/site-mailbox.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { deliver } from '../send/deliver.ts';
import { findUndelivered } from '../undelivered/list-store.ts';
import { askTracking } from './ask-tracking.ts';
import { pollChannels } from './poll-channels.ts';
import { watchDeliveries } from './watch-deliveries.ts';

// Messages of the NHS exchange that their receiver collected, or did not collect.

const fixture = await meshChannelFixture();
const { clock, database, depsOf, answer } = fixture;
const { db, pool } = database;
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.clear();
  await deleteDeliveries(db);
  await deleteConnectionFailures(db);
  await takeJobs(pool);
});
await storePractice(db, { odsCode: 'Z99002', name: 'Mill Lane Surgery', channels: ['mesh', 'document'] });

const byGpConnect = depsOf();
const local = { ONWARD_MESH_PRACTICE_PROFILE: 'local-workflow' };
const byLocalWorkflow = depsOf(local);

type Change = Parameters<typeof exampleReferral>[0];

/** A letter that went out by the exchange, and is waited for. */
async function aLetter(deps = byGpConnect, to: DeliveryLeg = 'gp_practice', given: Change = {}) {
  const serviceId = newId();
  await setServiceAddress(db, { serviceId, channel: 'mesh', address: 'CHOIR01' });
  await setChannels(db, serviceId, { channels: ['mesh'] });
  const referral = await storeReferral(pool, { simulated: false, service_id: serviceId, ...given });
  await tellOfChange(deps, referral, given.status ? 'requested' : null, 'referrer');
  const current = async () => (await listDeliveriesOf(deps.db, referral.id)).find((each) => each.leg === to)!;
  const { id } = await current();
  await deliver(deps, { delivery_id: id, receiver: exchangeSystem });
  const row = async () => (await findUndelivered(deps.db, id))!.worklist;
  const [message] = fixture.fake.exchange.messages.slice(-1);
  return { id, current, row, messageId: await messageIdOf(db, id), message: message! };
}

/** Some hours pass, with the jobs that look after what is silent. */
async function wait(hours: number, deps = byGpConnect): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    clock.moveOn(3_600_000);
    await watchDeliveries(deps);
    for (const { payload } of await takeJobs(pool)) if (payload.delivery_id) await askTracking(deps, payload);
  }
}

describe('a letter by a local workflow', () => {
  it('need not be confirmed by a practice that collected it', async () => {
    const { current, row, message } = await aLetter(byLocalWorkflow);
    message.status = 'acknowledged';
    await wait(25, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'received' });
    await wait(6 * 24, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'received' });
    expect(await row()).toBeNull();
    expect(fixture.fake.seen.filter((each) => each.startsWith('track'))).toEqual(['track 200']);
  });

  it('about an end need not be confirmed by a service', async () => {
    const { current, row, message } = await aLetter(byLocalWorkflow, 'service', {
      status: 'entered-in-error',
      seenAt: clock.now(),
    });
    message.status = 'acknowledged';
    await wait(6 * 24, byLocalWorkflow);
    expect(await current()).toMatchObject({ purpose: 'outcome', status: 'received' });
    expect(await row()).toBeNull();
  });

  it('must still be answered by a service if it refers somebody', async () => {
    const { current, row, message } = await aLetter(byLocalWorkflow, 'service');
    message.status = 'acknowledged';
    await wait(25, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'received' });
    expect(await row()).toMatchObject({ kind: 'unanswered', escalated: false });
    await wait(5 * 24, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'received' });
    expect(await row()).toMatchObject({ kind: 'unanswered', escalated: true });
  });

  it('is told if uncollected in a day, and expires in five', async () => {
    const { current, row } = await aLetter(byLocalWorkflow);
    await wait(25, byLocalWorkflow);
    expect(await row()).toMatchObject({
      kind: 'unanswered',
      reason: expect.stringContaining('has not collected the message'),
    });
    await wait(5 * 24, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'expired' });
    expect(await row()).toMatchObject({ kind: 'expired', escalated: true });
  });

  it('is no longer undelivered if collected on the third day', async () => {
    const { current, row, message } = await aLetter(byLocalWorkflow);
    await wait(3 * 24, byLocalWorkflow);
    message.status = 'acknowledged';
    await wait(3 * 24, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'received', detail: null });
    expect(await row()).toMatchObject({ closed_as: 'resolved' });
  });
});

describe('a letter by GP Connect', () => {
  it('must be confirmed five days after sending, if collected', async () => {
    const { current, row, message } = await aLetter();
    message.status = 'acknowledged';
    await wait(4 * 24);
    expect(await current()).toMatchObject({ status: 'received' });
    expect(await row()).toBeNull();
    await wait(2 * 24);
    expect(await current()).toMatchObject({ status: 'received' });
    expect(await row()).toMatchObject({
      kind: 'unanswered',
      reason: expect.stringContaining('has the letter, but has not confirmed'),
    });
  });

  it('is known better by the practice’s own answer', async () => {
    const { current, row, message, messageId } = await aLetter();
    message.status = 'acknowledged';
    await wait(25);
    answer('30001', messageId);
    await pollChannels(byGpConnect);
    await wait(6 * 24);
    expect(await current()).toMatchObject({ status: 'acknowledged' });
    expect(await row()).toBeNull();
  });
});

describe('a letter that the exchange cannot trace', () => {
  it('is asked about again after an hour, and alarms nobody', async () => {
    const { current, row, message } = await aLetter(byLocalWorkflow);
    message.status = 'acknowledged';
    fixture.fake.misbehave({ operation: 'track', do: 503 });
    await wait(26, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'received' });
    expect(await row()).toBeNull();
  });

  it('does not expire in a week, and an operator is told', async () => {
    const { current, row, message } = await aLetter(byLocalWorkflow);
    message.status = 'acknowledged';
    const refusals = Array.from({ length: 6 * 24 }, () => ({ operation: 'track', do: 403 }) as const);
    fixture.fake.misbehave(...refusals);
    await wait(24, byLocalWorkflow);
    expect(await listConnectionFailures(byGpConnect.db, clock.now())).toMatchObject([{ kind: 'refuses' }]);
    expect(await row()).toBeNull();
    await wait(5 * 24, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'sent' });
    expect(await row()).toMatchObject({ kind: 'unanswered' });
    await wait(48, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'received' });
    expect(await row()).toMatchObject({ closed_as: 'resolved' });
  });

  it('goes by the next channel if it cannot be delivered', async () => {
    const { current, message } = await aLetter(byLocalWorkflow);
    message.status = 'error';
    message.fault = '12';
    await wait(25, byLocalWorkflow);
    expect(await current()).toMatchObject({ status: 'queued', attempts: [{}, { outcome: 'failed' }] });
  });

  it('changes nothing twice by two jobs at once, or a late one', async () => {
    const { id, current, message } = await aLetter(byLocalWorkflow);
    message.status = 'acknowledged';
    clock.moveOn(25 * 3_600_000);
    const ask = () => askTracking(byLocalWorkflow, { delivery_id: id });
    await Promise.all([ask(), ask()]);
    await ask();
    expect((await current()).attempts.map(({ outcome }) => outcome)).toEqual(['sent', 'received']);
  });
});
