import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelsWith, deliveryFixture } from '../../../test/delivery/fixture.ts';
import { rewriteAttempts } from '../../../test/delivery/stored.ts';
import { tellOfChange } from '../../../test/delivery/test-site.ts';
import { startAttempt } from '../model/attempts-store.ts';
import { findDelivery } from '../model/deliveries-store.ts';
import { composeMessage } from './compose-message.ts';
import { deliver } from './deliver.ts';
import { deliverNew } from './deliver-new.ts';

let fixture: Awaited<ReturnType<typeof deliveryFixture>>;
beforeAll(async () => {
  fixture = await deliveryFixture();
});
afterAll(() => fixture.close());

describe('the deliver job', () => {
  describe('on a test site', () => {
    it('everything is captured, as a live site would send it', async () => {
      const referral = await fixture.made(fixture.site);
      for (const { id } of await fixture.told(referral)) await deliver(fixture.site, { delivery_id: id });
      expect(await fixture.told(referral)).toMatchObject([
        { leg: 'service', status: 'received', channel: 'inbox', attempts: [{ outcome: 'received' }] },
        { leg: 'gp_practice', status: 'sent', channel: 'document', attempts: [{ outcome: 'sent' }] },
      ]);
      expect(await fixture.captured(referral)).toEqual([
        { recipient: 'Sarrowby Community Choir', channel: 'inbox' },
        { recipient: 'Mill Lane Surgery', channel: 'document' },
      ]);
      expect(await readdir(fixture.site.settings.dataDir)).not.toContain('documents');
    });

    it('does nothing twice, nor for a suppressed or deleted delivery', async () => {
      const referral = await fixture.made(fixture.site, { gp_practice: null });
      for (let time = 0; time < 2; time += 1)
        for (const { id } of await fixture.told(referral)) await deliver(fixture.site, { delivery_id: id });
      await deliver(fixture.site, { delivery_id: referral.id });
      expect((await fixture.told(referral)).map(({ attempts }) => attempts.length)).toEqual([1, 0]);
      expect(await fixture.captured(referral)).toHaveLength(1);
    });
  });

  describe('after a kill', () => {
    it('captures one message if killed between sending and recording', async () => {
      const referral = await fixture.made(fixture.site);
      const { id } = await fixture.deliveryTo(referral, 'gp_practice');
      const delivery = (await findDelivery(fixture.site.db, id))!;
      await startAttempt(fixture.site.db, id, 'document', null, fixture.clock.now());
      const { channels } = fixture.site;
      const outbox = channels.capturing(channels.outgoing.find(({ name }) => name === 'document')!);
      const message = composeMessage(fixture.site, { ...delivery, contactElsewhere: [] }, referral);
      await outbox.send(message, await outbox.render(fixture.site.db, message));

      await deliver(fixture.site, { delivery_id: id });
      expect(await fixture.captured(referral)).toHaveLength(1);
      expect(await fixture.deliveryTo(referral, 'gp_practice')).toMatchObject({
        status: 'sent',
        attempts: [{ outcome: 'interrupted' }, { outcome: 'sent' }],
      });
    });

    it('two workers with the same job at once capture one message', async () => {
      const referral = await fixture.made(fixture.site);
      const { id } = await fixture.deliveryTo(referral, 'service');
      await Promise.all([
        deliver(fixture.site, { delivery_id: id }),
        deliver(fixture.site, { delivery_id: id }),
      ]);
      expect(await fixture.captured(referral)).toHaveLength(1);
      expect((await fixture.deliveryTo(referral, 'service')).status).toBe('received');
    });
  });

  describe('when a channel cannot', () => {
    it('an inbox that nobody can open fails for good, in plain words', async () => {
      const referral = await fixture.made(fixture.live);
      const { id } = await fixture.deliveryTo(referral, 'service');
      await deliver(fixture.live, { delivery_id: id });
      const detail = 'Nobody at Sarrowby Community Choir has an account on this site that can open it.';
      expect(await fixture.deliveryTo(referral, 'service')).toMatchObject({
        status: 'failed',
        detail,
        attempts: [{ outcome: 'failed', detail }],
      });
    });

    it('the practice’s next channel is tried after a refusal', async () => {
      const referral = await fixture.made(
        fixture.live,
        await fixture.aPractice('Z99003', 'Weir Surgery', ['pigeon', 'inbox', 'document']),
      );
      const { id } = await fixture.deliveryTo(referral, 'gp_practice');
      await deliver(fixture.live, { delivery_id: id });
      expect(await fixture.deliveryTo(referral, 'gp_practice')).toMatchObject({
        status: 'sent',
        channel: 'document',
        attempts: [{ outcome: 'failed' }, { outcome: 'sent' }],
      });
    });

    it('a channel that this site does not have is named', async () => {
      const referral = await fixture.made(
        fixture.live,
        await fixture.aPractice('Z99004', 'Mesh Surgery', ['pigeon']),
      );
      const { id } = await fixture.deliveryTo(referral, 'gp_practice');
      await deliver(fixture.live, { delivery_id: id });
      expect(await fixture.deliveryTo(referral, 'gp_practice')).toMatchObject({
        status: 'failed',
        detail: 'This site has none of the channels that are set for Mesh Surgery: pigeon.',
      });
    });
  });

  it('keeps an answer that comes while the message is on its way', async () => {
    const referral = await fixture.made(fixture.site);
    const { id } = await fixture.deliveryTo(referral, 'service');
    const answered = async () => {
      await tellOfChange(fixture.site, { ...referral, status: 'accepted', version: 2 }, 'requested');
      return { status: 'received', detail: 'It is there now.' } as const;
    };
    await deliver({ ...fixture.site, channels: channelsWith(answered, 'inbox') }, { delivery_id: id });
    expect(await fixture.deliveryTo(referral, 'service')).toMatchObject({
      status: 'acknowledged',
      attempts: [{ outcome: 'received' }],
    });
  });

  it('captures a message about a made-up patient on a live site', async () => {
    const referral = await fixture.made(fixture.live, { simulated: true });
    for (const { id } of await fixture.told(referral)) await deliver(fixture.live, { delivery_id: id });
    expect(await fixture.captured(referral)).toHaveLength(2);
  });

  describe('a real patient at a process that runs as a test site', () => {
    /** Told to the live site, or to the process that runs as a test site beside it. */
    it.each([
      'live',
      'site',
    ] as const)('keeps every delivery queued for the live site, told to %s', async (told) => {
      const referral = await fixture.made(fixture[told], { simulated: false });
      const ids = (await fixture.told(referral)).map(({ id }) => id);
      await deliverNew(fixture.site, { delivery_ids: ids });
      for (const delivery_id of ids) await deliver(fixture.site, { delivery_id });
      const queued = { status: 'queued', simulated: false, attempts: [] };
      expect(await fixture.told(referral)).toMatchObject(ids.map(() => queued));
      expect(await fixture.captured(referral)).toEqual([]);
    });

    it('is sent once the live site runs', async () => {
      const referral = await fixture.made(fixture.live, { simulated: false });
      const [service] = await fixture.told(referral);
      await deliverNew(fixture.site, { delivery_ids: [service!.id] });
      const sent = { status: 'sent', detail: 'It is on its way.' } as const;
      await deliver(
        { ...fixture.live, channels: channelsWith(async () => sent, 'inbox') },
        { delivery_id: service!.id },
      );
      expect(await fixture.deliveryTo(referral, 'service')).toMatchObject({
        status: 'sent',
        channel: 'inbox',
      });
    });
  });

  it('finds that the table of attempts refuses SQL that changes it', async () => {
    await expect(rewriteAttempts(fixture.site.db)).rejects.toThrow('append-only');
  });
});
