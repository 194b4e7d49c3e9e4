import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countJobs } from '../../../test/app/jobs.ts';
import { deliveryFixture, stubChannel } from '../../../test/delivery/fixture.ts';
import { setServiceAddress } from '../../../test/delivery/receivers.ts';
import { deliveryEvents, storedDeliveries } from '../../../test/delivery/stored.ts';
import { setChannels } from '../../../test/library/stored.ts';
import { setRestricted } from '../../../test/referrals/stored.ts';
import type { Referral } from '../../referrals/index.ts';
import type { Channels } from '../channels/deps.ts';
import { deliver } from './deliver.ts';
import { deliverNew } from './deliver-new.ts';

let fixture: Awaited<ReturnType<typeof deliveryFixture>>;
beforeAll(async () => {
  fixture = await deliveryFixture();
});
afterAll(() => fixture.close());

const idsOf = async (...referrals: Referral[]) =>
  (await Promise.all(referrals.map((each) => fixture.told(each)))).flat().map(({ id }) => id);

/** How many jobs of its own a delivery has. */
const ownJobs = (id: string) => countJobs(fixture.pool, { name: 'deliver', about: id });

/** A site's channels, where the sending of several does something else. */
function disturbed(sendTogether: (typeof sent)['sendTogether']): Channels {
  const { outgoing } = fixture.site.channels;
  return { outgoing, capturing: ({ name }) => stubChannel(name, { sendTogether: sendTogether! }) };
}
const sent = stubChannel('inbox', { sendTogether: async () => new Map() });

describe('the deliver-new job', () => {
  it('captures all messages together, with attempts and events', async () => {
    const referrals = [await fixture.made(fixture.site), await fixture.made(fixture.site)];
    await deliverNew(fixture.site, { delivery_ids: await idsOf(...referrals) });
    for (const referral of referrals) {
      const told = await fixture.told(referral);
      expect(told).toMatchObject([
        { leg: 'service', status: 'received', channel: 'inbox', attempts: [{ outcome: 'received' }] },
        { leg: 'gp_practice', status: 'sent', channel: 'document', attempts: [{ outcome: 'sent' }] },
      ]);
      expect(await fixture.captured(referral)).toHaveLength(2);
      const [service, practice] = await storedDeliveries(fixture.site.db, referral.id);
      // In either order, since both happen at once.
      expect(new Set(await deliveryEvents(fixture.site.db, referral.id))).toEqual(
        new Set([
          { deliveryId: service!.id, type: 'delivery.received' },
          { deliveryId: practice!.id, type: 'delivery.sent' },
        ]),
      );
      // The service has to answer; nobody waits for the practice.
      expect(service!.follow_up_at!.getTime()).toBeGreaterThan(service!.sent_at!.getTime());
      expect(practice!.follow_up_at).toBeNull();
      expect(await Promise.all(told.map(({ id }) => ownJobs(id)))).toEqual([0, 0]);
    }
  });

  it('tells nobody twice when it runs again or beside another job', async () => {
    const referral = await fixture.made(fixture.site);
    const ids = await idsOf(referral);
    const all = () => deliverNew(fixture.site, { delivery_ids: ids });
    await Promise.all([all(), deliver(fixture.site, { delivery_id: ids[0]! }), all()]);
    await all();
    expect((await fixture.told(referral)).map(({ attempts }) => attempts.length)).toEqual([1, 1]);
    expect(await fixture.captured(referral)).toHaveLength(2);
  });

  it('adds a job for what fails by its story or really goes out', async () => {
    const { content } = await fixture.made(fixture.site);
    const patient = { ...content.patient, family_name: 'Bounced' };
    const bouncing = await fixture.made(fixture.site, { content: { ...content, patient } });
    const plain = await fixture.made(fixture.site);
    await deliverNew(fixture.site, { delivery_ids: await idsOf(bouncing, plain) });
    expect((await fixture.told(plain)).map(({ status }) => status)).toEqual(['received', 'sent']);
    for (const { id, status, attempts } of await fixture.told(bouncing))
      expect([status, attempts, await ownJobs(id)]).toEqual(['queued', [], 1]);

    const real = await fixture.made(fixture.live);
    await deliverNew(fixture.live, { delivery_ids: await idsOf(real) });
    const letter = await fixture.deliveryTo(real, 'gp_practice');
    expect([letter.status, await ownJobs(letter.id)]).toEqual(['queued', 1]);
  });

  it('tries each message by itself after an error in SQL', async () => {
    const referral = await fixture.made(fixture.site);
    const ids = await idsOf(referral);
    const broken = disturbed(async (trx) => {
      await sql`select 1 / 0`.execute(trx);
      return new Map();
    });
    await deliverNew({ ...fixture.site, channels: broken }, { delivery_ids: ids });
    expect((await fixture.told(referral)).map(({ status }) => status)).toEqual(['queued', 'queued']);
    expect(await Promise.all(ids.map(ownJobs))).toEqual([1, 1]);
  });

  it('needs one connection for all of it', async () => {
    const referral = await fixture.made(fixture.site);
    await setServiceAddress(fixture.site.db, {
      serviceId: referral.service_id,
      channel: 'email',
      address: 'choir@example.org',
    });
    await setChannels(fixture.site.db, referral.service_id, { channels: ['email'] });
    await fixture.withOneConnection(async (site) => {
      await deliverNew(site, { delivery_ids: await idsOf(referral) });
    });
    await setChannels(fixture.site.db, referral.service_id, { channels: ['inbox'] });
    expect((await fixture.deliveryTo(referral, 'service')).status).toBe('sent');
  });

  it('has sent nothing when it is cut off, and runs again', async () => {
    const referral = await fixture.made(fixture.site);
    const ids = await idsOf(referral);
    const { outgoing, capturing } = fixture.site.channels;
    const cutOff: Channels = {
      outgoing,
      capturing: (channel) => ({
        ...capturing(channel),
        async sendTogether(trx, messages, at) {
          await capturing(channel).sendTogether!(trx, messages, at);
          throw new Error('cut off');
        },
      }),
    };
    await expect(deliverNew({ ...fixture.site, channels: cutOff }, { delivery_ids: ids })).rejects.toThrow(
      'cut off',
    );
    expect(await fixture.captured(referral)).toEqual([]);
    await deliverNew(fixture.site, { delivery_ids: ids });
    expect(await fixture.captured(referral)).toHaveLength(2);
  });

  it('sends nothing about a restricted referral', async () => {
    const referral = await fixture.made(fixture.site);
    await setRestricted(fixture.site.db, referral.id, new Date());
    await deliverNew(fixture.site, { delivery_ids: await idsOf(referral) });
    expect(await fixture.captured(referral)).toEqual([]);
  });
});
