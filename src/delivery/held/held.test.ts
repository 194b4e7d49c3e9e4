import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { takeJobs } from '../../../test/app/jobs.ts';
import { deleteConnectionFailures } from '../../../test/app/stored.ts';
import { meshChannelFixture } from '../../../test/delivery/mesh-channel-fixture.ts';
import { setServiceAddress, storePractice } from '../../../test/delivery/receivers.ts';
import { deleteDeliveries } from '../../../test/delivery/stored.ts';
import { jobsFor, storeReferral, tellOfChange, withDelivery } from '../../../test/delivery/test-site.ts';
import { setChannels } from '../../../test/library/stored.ts';
import { withMailServer } from '../../../test/people/mail-fixture.ts';
import { setRestricted } from '../../../test/referrals/stored.ts';
import { createAccount } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { listConnectionFailures } from '../../platform/connections/index.ts';
import { mailServerSystem, noteWhetherMailServerIsSet } from '../../platform/mail/index.ts';
import { exchangeSystem } from '../channels/mesh/site-mailbox.ts';
import { pollChannels } from '../follow-up/poll-channels.ts';
import { watchDeliveries } from '../follow-up/watch-deliveries.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { untilOperatorDecides } from '../model/held-by.ts';
import { deliver } from '../send/deliver.ts';
import { restoreDeliveryJobs } from '../send/restore-jobs.ts';
import { retryDelivery, sendAnotherWay } from '../undelivered/actions.ts';
import { findUndelivered } from '../undelivered/list-store.ts';
import { holdDelivery, releaseHeldBy } from './hold-delivery.ts';
import { releaseHeld } from './release-held.ts';

const fixture = await meshChannelFixture();
const { clock, database, depsOf } = fixture;
const { db, pool } = database;
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.clear();
  await deleteDeliveries(db);
  await deleteConnectionFailures(db);
  await takeJobs(pool);
});
await storePractice(db, { odsCode: 'Z99002', name: 'Mill Lane Surgery', channels: ['mesh', 'document'] });

const right = depsOf();
const operatorId = await createAccount(right, siteActor, {
  email: 'olga@example.org',
  name: 'Olga',
  roles: ['operator'],
  hasApiAccess: false,
  password: 'a long enough password',
});
const passwordFile = join(right.settings.dataDir, 'wrong-password');
await writeFile(passwordFile, 'an old password');
const wrong = depsOf({ ONWARD_MESH_PASSWORD_FILE: passwordFile });
const minutes = (count: number) => clock.moveOn(count * 60_000);

async function aCopy() {
  const referral = await storeReferral(pool, { simulated: false });
  await tellOfChange(right, referral, null);
  const current = async () =>
    (await listDeliveriesOf(right.db, referral.id)).find((each) => each.leg === 'gp_practice')!;
  const { id } = await current();
  await takeJobs(pool);
  const row = async () => (await findUndelivered(right.db, id))!.worklist;
  const send = (deps = wrong) => deliver(deps, { delivery_id: id, receiver: exchangeSystem });
  return { id, referralId: referral.id, current, row, send };
}

/** Runs the jobs of deliveries that wait, as the queue would. */
async function runJobs(deps = wrong): Promise<void> {
  for (;;) {
    const jobs = await takeJobs(pool, { isDue: true });
    if (jobs.length === 0) return;
    for (const { payload } of jobs) if (payload.delivery_id) await deliver(deps, payload);
  }
}

describe('letters while the exchange refuses this site’s password', () => {
  it('are held and undelivered, and go by no other way', async () => {
    const { id, current, row, send } = await aCopy();
    await send();
    expect(await current()).toMatchObject({
      status: 'queued',
      channel: 'mesh',
      detail: expect.stringContaining('does not accept this site’s mailbox'),
      attempts: [{ outcome: 'will-retry' }],
    });
    expect(await row()).toMatchObject({ kind: 'held', closed_at: null, owner: { name: 'Olga' } });
    expect(await jobsFor(pool, id)).toEqual([]);
    minutes(10);
    await restoreDeliveryJobs(wrong);
    expect(await jobsFor(pool, id)).toEqual([]);
    expect(await listConnectionFailures(right.db, clock.now())).toMatchObject([
      { connection: 'message-exchange', kind: 'refuses' },
    ]);
  });

  it('are tried one by one, every five minutes, even for a week', async () => {
    const copies = [await aCopy(), await aCopy(), await aCopy()];
    for (const { send } of copies) await send();
    // The others were held without a word to the exchange.
    expect(fixture.fake.seen).toEqual(['send 403']);
    for (let minute = 1; minute <= 15; minute += 1) {
      minutes(1);
      await releaseHeld(wrong);
      await runJobs();
    }
    expect(fixture.fake.seen).toHaveLength(4);
    minutes(7 * 24 * 60);
    await releaseHeld(wrong);
    await runJobs();
    await watchDeliveries(wrong);
    for (const { current, row } of copies) {
      expect((await current()).status).toBe('queued');
      expect((await current()).attempts.length).toBeLessThan(2);
      expect(await row()).toMatchObject({ kind: 'held', closed_at: null });
    }
  });

  it('are all sent once the site is accepted again', async () => {
    const copies = [await aCopy(), await aCopy()];
    for (const { send } of copies) await send();
    minutes(5);
    await releaseHeld(right);
    await runJobs(right);
    await releaseHeld(right);
    await runJobs(right);
    for (const { current, row } of copies) {
      expect(await current()).toMatchObject({ status: 'sent', channel: 'mesh', detail: null });
      expect(await row()).toMatchObject({ closed_as: 'resolved' });
    }
    expect(await listConnectionFailures(right.db, clock.now())).toEqual([]);
    expect(fixture.fake.exchange.messages).toHaveLength(2);
  });

  it('are not held up by one of a restricted referral', async () => {
    const [restricted, other] = [await aCopy(), await aCopy()];
    await restricted.send();
    minutes(1);
    await other.send();
    await setRestricted(db, restricted.referralId, clock.now());
    minutes(6);
    await releaseHeld(right);
    await runJobs(right);
    await releaseHeld(right);
    await runJobs(right);
    expect((await other.current()).status).toBe('sent');
    expect((await restricted.current()).status).toBe('queued');
  });

  it('may be tried at once by an operator, or sent another way', async () => {
    const { id, current, row, send } = await aCopy();
    await send();
    const act = {
      caller: { accountId: operatorId, name: 'Olga', roles: ['operator'] } as never,
      id,
      ipAddress: '127.0.0.1',
    };
    await retryDelivery(wrong, act);
    await runJobs();
    expect(fixture.fake.seen).toEqual(['send 403', 'send 403']);
    expect(await row()).toMatchObject({ kind: 'held', closed_at: null });
    await sendAnotherWay(wrong, act, 'document');
    await runJobs();
    expect(await current()).toMatchObject({ status: 'sent', channel: 'document' });
    expect(await row()).toMatchObject({ closed_as: 'another-way' });
  });

  it('stay uncertain if they were, and are tracked later', async () => {
    const { current, row, send } = await aCopy();
    fixture.fake.misbehave({ operation: 'send', do: 'cut-off' });
    await send(right);
    await send();
    expect(await current()).toMatchObject({ status: 'uncertain' });
    expect(await row()).toMatchObject({ kind: 'uncertain', closed_at: null });
    minutes(5);
    await releaseHeld(right);
    await runJobs(right);
    expect(await current()).toMatchObject({ status: 'sent' });
    expect(fixture.fake.exchange.messages).toHaveLength(1);
  });

  it('are held as soon as collecting the inbox is refused', async () => {
    await pollChannels(wrong);
    expect(await listConnectionFailures(right.db, clock.now())).toMatchObject([{ kind: 'refuses' }]);
    const { current, send } = await aCopy();
    await send();
    expect((await current()).status).toBe('queued');
    await pollChannels(right);
    // A letter that was held has to show that letters go again.
    expect(await listConnectionFailures(right.db, clock.now())).toHaveLength(1);
    minutes(5);
    await releaseHeld(right);
    await runJobs(right);
    expect((await current()).status).toBe('sent');
    await pollChannels(wrong);
    await pollChannels(right);
    expect(await listConnectionFailures(right.db, clock.now())).toEqual([]);
  });
});

describe('a live site that starts without ONWARD_SMTP_URL', () => {
  it('holds letters by email until it is started with it', async () => {
    const serviceId = 'held-choir';
    await setServiceAddress(db, { serviceId, channel: 'email', address: 'choir@example.org' });
    await setChannels(db, serviceId, { channels: ['email', 'inbox'] });
    const referral = await storeReferral(pool, { simulated: false, service_id: serviceId });
    await tellOfChange(right, referral, null);
    const current = async () =>
      (await listDeliveriesOf(right.db, referral.id)).find((each) => each.leg === 'service')!;
    await takeJobs(pool);
    const { id } = await current();
    await deliver(right, { delivery_id: id, receiver: mailServerSystem });
    expect(await current()).toMatchObject({
      status: 'queued',
      detail: expect.stringContaining('no mail server'),
    });
    expect((await findUndelivered(right.db, id))!.worklist).toMatchObject({ kind: 'held' });
    await withMailServer({}, async (server) => {
      const smtpUrl = `smtp://127.0.0.1:${server.port}`;
      const settings = { ...right.settings, smtpUrl, mailFrom: 'Sarrowby <site@example.org>' };
      const deps = withDelivery({ ...right, settings });
      await releaseHeld(deps);
      expect(await jobsFor(pool, id)).toEqual([]);
      await noteWhetherMailServerIsSet(deps);
      await releaseHeld(deps);
      await runJobs(deps);
      expect(server.received).toMatchObject([{ to: ['choir@example.org'] }]);
    });
    expect(await current()).toMatchObject({ status: 'sent', channel: 'email' });
    expect((await findUndelivered(right.db, id))!.worklist).toMatchObject({ closed_as: 'resolved' });
  });
});

describe('a letter whose exchange refuses this site', () => {
  it('is held if the clock is three hours wrong', async () => {
    const now = () => new Date(clock.now().getTime() + 3 * 3_600_000);
    const fast = withDelivery({ ...right, clock: { ...clock, now } });
    const { current, send } = await aCopy();
    await send(fast);
    expect(await current()).toMatchObject({ status: 'queued', detail: expect.stringContaining('clock') });
  });

  it('is held if the address is not the exchange’s', async () => {
    const { current, row, send } = await aCopy();
    await send(depsOf({ ONWARD_MESH_URL: `${fixture.fake.url}/elsewhere` }));
    expect(await current()).toMatchObject({ status: 'queued' });
    expect(await row()).toMatchObject({ kind: 'held' });
  });

  it('holds up no letter of another workflow', async () => {
    const { current, send } = await aCopy();
    fixture.fake.misbehave({ operation: 'send', do: 417 });
    await send(right);
    expect(await current()).toMatchObject({
      status: 'queued',
      detail: expect.stringContaining('may not send'),
    });
    const other = await aCopy();
    await other.send(right);
    expect((await other.current()).status).toBe('sent');
    expect(await listConnectionFailures(right.db, clock.now())).toMatchObject([
      { connection: 'message-exchange-workflow' },
    ]);
    minutes(5);
    await releaseHeld(right);
    await runJobs(right);
    expect((await current()).status).toBe('sent');
    expect(await listConnectionFailures(right.db, clock.now())).toEqual([]);
  });
});

describe('an exchange with a problem of its own', () => {
  it('is reported after an hour; letters are tried again', async () => {
    const { current, send } = await aCopy();
    fixture.fake.misbehave({ operation: 'send', do: 503 });
    await send(right);
    expect((await current()).attempts).toMatchObject([{ outcome: 'will-retry' }]);
    expect(await listConnectionFailures(right.db, clock.now())).toEqual([]);
    minutes(61);
    fixture.fake.misbehave({ operation: 'list', do: 503 });
    await pollChannels(right);
    expect(await listConnectionFailures(right.db, clock.now())).toMatchObject([{ kind: 'away' }]);
    await send(right);
    expect((await current()).status).toBe('sent');
    expect(await listConnectionFailures(right.db, clock.now())).toEqual([]);
  });
});

describe('a delivery that is held for another reason than a connection', () => {
  it('waits until it is released', async () => {
    const { id, current, row } = await aCopy();
    const hold = { by: untilOperatorDecides, reason: 'An operator kept it back.', at: clock.now() } as const;
    await right.db.transaction().execute((trx) => holdDelivery(trx, id, hold));
    expect(await current()).toMatchObject({ status: 'queued', detail: hold.reason });
    expect(await row()).toMatchObject({ kind: 'held', reason: hold.reason });
    await releaseHeld(right);
    expect(await jobsFor(pool, id)).toEqual([]);
    await right.db.transaction().execute((trx) => releaseHeldBy(trx, hold.by, clock.now()));
    await runJobs(right);
    expect(await current()).toMatchObject({ status: 'sent', detail: null });
    expect(await row()).toMatchObject({ closed_as: 'resolved' });
  });
});
