import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryFixture } from '../../../test/delivery/fixture.ts';
import { setServiceAddress } from '../../../test/delivery/receivers.ts';
import { withDelivery } from '../../../test/delivery/test-site.ts';
import { changeService, setChannels, storeOrganization } from '../../../test/library/stored.ts';
import { type MailServer, startMailServer } from '../../../test/network/mail-server.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { mailServerSystem } from '../../platform/mail/index.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { restartDelivery } from '../model/undelivered-store.ts';
import { deliver } from './deliver.ts';

// A service was given to another organisation while a referral waited to be sent: that organisation may not see it.

let fixture: Awaited<ReturnType<typeof deliveryFixture>>;
let server: MailServer;
let live: DeliveryDeps;

beforeAll(async () => {
  [fixture, server] = await Promise.all([deliveryFixture(), startMailServer()]);
  const mail = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'Sarrowby <site@example.org>' };
  live = withDelivery({ ...fixture.live, settings: { ...fixture.live.settings, ...mail } });
  const set = { serviceId: 'choir', channel: 'email', address: 'choir@mill.example.org' };
  await setServiceAddress(live.db, set);
  await setChannels(live.db, 'choir', { channels: ['email'] });
  await storeOrganization(live.db, { id: 'mill-trust', name: 'Mill Trust' });
});
afterAll(() => Promise.all([fixture.close(), server.close()]));

describe('a service that moved to another organisation', () => {
  it('gets no earlier referral at its new organisation’s address', async () => {
    const referral = await fixture.made(live);
    const { id } = await fixture.deliveryTo(referral, 'service');
    await changeService(live.db, 'choir', { organization_id: 'mill-trust' });
    await deliver(live, { delivery_id: id, receiver: mailServerSystem });
    expect(server.received).toEqual([]);
    expect(await fixture.deliveryTo(referral, 'service')).toMatchObject({
      status: 'failed',
      channel: 'inbox',
      detail: 'Nobody at Sarrowby Community Choir has an account on this site that can open it.',
    });
  });

  it('gets none there from an operator either', async () => {
    const referral = await fixture.made(live);
    const { id } = await fixture.deliveryTo(referral, 'service');
    await inTransaction(live.db, (trx) => restartDelivery(trx, id, 'email', fixture.clock.now()));
    await deliver(live, { delivery_id: id, receiver: mailServerSystem });
    expect(server.received).toEqual([]);
    expect(await fixture.deliveryTo(referral, 'service')).toMatchObject({
      status: 'failed',
      channel: 'email',
    });
  });

  it('still gets it when only the id of its organisation changed', async () => {
    const [organization_id, organization_name] = ['its-old-id', 'Mill Trust'];
    const service = { name: 'Sarrowby Community Choir', organization_id, organization_name };
    const referral = await fixture.made(live, { service });
    const { id } = await fixture.deliveryTo(referral, 'service');
    await deliver(live, { delivery_id: id, receiver: mailServerSystem });
    expect(server.received.map(({ to }) => to)).toEqual([['choir@mill.example.org']]);
    server.received.length = 0;
  });

  it('gets later referrals by its own settings', async () => {
    const service = {
      name: 'Sarrowby Community Choir',
      organization_id: 'mill-trust',
      organization_name: null,
    };
    const referral = await fixture.made(live, { service });
    const { id } = await fixture.deliveryTo(referral, 'service');
    await deliver(live, { delivery_id: id, receiver: mailServerSystem });
    expect(server.received.map(({ to }) => to)).toEqual([['choir@mill.example.org']]);
  });
});
