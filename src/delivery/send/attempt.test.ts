import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeJobs } from '../../../test/app/jobs.ts';
import { channelsWith, deliveryFixture, SimulatedFailure } from '../../../test/delivery/fixture.ts';
import { jobsFor } from '../../../test/delivery/test-site.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { recordAttempt, startAttempt } from '../model/attempts-store.ts';
import { findDelivery } from '../model/deliveries-store.ts';
import { deliver } from './deliver.ts';

let fixture: Awaited<ReturnType<typeof deliveryFixture>>;
beforeAll(async () => {
  fixture = await deliveryFixture();
});
afterAll(() => fixture.close());

describe('an attempt that fails', () => {
  const full = async () => {
    throw new SimulatedFailure('retry', 'The disk with the folder of letters is full.');
  };

  it('is recorded, and a job for the next is added', async () => {
    const referral = await fixture.made(fixture.live);
    const { id } = await fixture.deliveryTo(referral, 'gp_practice');
    const before = await jobsFor(fixture.pool, id);
    await deliver({ ...fixture.live, channels: channelsWith(full, 'document') }, { delivery_id: id });
    const detail = 'The disk with the folder of letters is full.';
    expect(await fixture.deliveryTo(referral, 'gp_practice')).toMatchObject({
      status: 'queued',
      channel: 'document',
      detail,
      attempts: [{ outcome: 'will-retry', detail }],
    });
    expect(await jobsFor(fixture.pool, id)).toHaveLength(before.length + 1);
    await deliver(fixture.live, { delivery_id: id });
    expect(await fixture.deliveryTo(referral, 'gp_practice')).toMatchObject({ status: 'sent', detail: null });
    expect(await readdir(join(fixture.live.settings.dataDir, 'documents'))).toHaveLength(1);
    expect(await fixture.captured(referral)).toEqual([]);
  });

  it('is repeated after growing, random pauses, by one job', async () => {
    const pauses: number[] = [];
    for (let each = 0; each < 8; each += 1) {
      const { id } = await fixture.deliveryTo(await fixture.made(fixture.live), 'gp_practice');
      await takeJobs(fixture.pool, { about: id });
      for (let tries = 1; tries <= 5; tries += 1) {
        await deliver({ ...fixture.live, channels: channelsWith(full, 'document') }, { delivery_id: id });
        const jobs = await jobsFor(fixture.pool, id);
        expect(jobs).toHaveLength(1);
        // A second and a half for what the test itself takes.
        expect(jobs[0]!.pause).toBeGreaterThan(0.75 * Math.E ** tries - 1.5);
        expect(jobs[0]!.pause).toBeLessThan(1.25 * Math.E ** tries);
      }
      pauses.push((await jobsFor(fixture.pool, id))[0]!.pause);
    }
    // Without chance they would be within a fraction of a second of each other.
    expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(5);
  });

  it('quotes no unforeseen error, which may name a patient', async () => {
    const referral = await fixture.made(fixture.live);
    const { id } = await fixture.deliveryTo(referral, 'service');
    const crash = async () => {
      throw new Error('cannot read Margaret');
    };
    await deliver({ ...fixture.live, channels: channelsWith(crash, 'inbox') }, { delivery_id: id });
    expect((await fixture.deliveryTo(referral, 'service')).detail).toBe('Something went wrong on this site.');
  });

  it('is the last after 25, says so, and is left alone', async () => {
    const referral = await fixture.made(fixture.live);
    const { id } = await fixture.deliveryTo(referral, 'gp_practice');
    for (let number = 1; number < 25; number += 1)
      await deliver({ ...fixture.live, channels: channelsWith(full, 'document') }, { delivery_id: id });
    expect((await fixture.deliveryTo(referral, 'gp_practice')).status).toBe('queued');
    await deliver({ ...fixture.live, channels: channelsWith(full, 'document') }, { delivery_id: id });
    const { status, detail, attempts } = await fixture.deliveryTo(referral, 'gp_practice');
    expect(status).toBe('failed');
    expect(detail).toBe('The disk with the folder of letters is full. It was tried 25 times.');
    await deliver(fixture.live, { delivery_id: id });
    expect((await fixture.deliveryTo(referral, 'gp_practice')).attempts).toEqual(attempts);
  });

  it('counts for its channel, and each channel has 25', async () => {
    const referral = await fixture.made(
      fixture.live,
      await fixture.aPractice('Z99005', 'Two Ways Surgery', ['first', 'second']),
    );
    const { id } = await fixture.deliveryTo(referral, 'gp_practice');
    for (let round = 0; round < 49; round += 1)
      await deliver(
        { ...fixture.live, channels: channelsWith(full, 'first', 'second') },
        { delivery_id: id },
      );
    const { status, attempts } = await fixture.deliveryTo(referral, 'gp_practice');
    expect(status).toBe('failed');
    expect(attempts).toHaveLength(50);
    expect(attempts.flatMap(({ outcome }, place) => (outcome === 'failed' ? [place + 1] : []))).toEqual([
      25, 50,
    ]);
  });

  it('is given up as well if it stops the site each time', async () => {
    const referral = await fixture.made(fixture.live);
    const { id } = await fixture.deliveryTo(referral, 'gp_practice');
    for (let time = 0; time < 25; time += 1)
      await startAttempt(fixture.live.db, id, 'document', null, fixture.clock.now());
    let sent = 0;
    const counting = async () => ({ status: 'sent', detail: `Sent ${++sent} times.` }) as const;
    await deliver({ ...fixture.live, channels: channelsWith(counting, 'document') }, { delivery_id: id });
    expect(sent).toBe(0);
    expect(await fixture.deliveryTo(referral, 'gp_practice')).toMatchObject({
      status: 'failed',
      detail: 'The site stopped in the middle of the last attempt. It was tried 25 times.',
    });
  });
});

describe('an attempt whose job was freed while it goes on', () => {
  /** The first attempt is under way while a second worker starts another. */
  async function twoAttempts() {
    const { id } = await fixture.deliveryTo(await fixture.made(fixture.live), 'gp_practice');
    const older = (await startAttempt(fixture.live.db, id, 'document', null, fixture.clock.now()))!;
    const newer = (await startAttempt(fixture.live.db, id, 'document', null, fixture.clock.now()))!;
    const end = (attempt: { number: number }, outcome: 'sent' | 'will-retry' | 'failed') =>
      inTransaction(fixture.live.db, (trx) =>
        recordAttempt(
          trx,
          {
            deliveryId: id,
            number: attempt.number,
            channel: 'document',
            outcome,
            detail: 'x',
            externalId: null,
            followUpAt: null,
            at: fixture.clock.now(),
          },
          outcome === 'sent' ? 'sent' : 'queued',
        ),
      );
    const status = async () => (await findDelivery(fixture.live.db, id))!.status;
    return { older, newer, end, status };
  }

  it.each([
    'will-retry',
    'failed',
  ] as const)('decides nothing if it ends as %s after a newer one', async (outcome) => {
    const { older, newer, end, status } = await twoAttempts();
    expect(await end(older, outcome)).toBe(false);
    expect(await status()).toBe('sending');
    expect(await end(newer, 'sent')).toBe(true);
    expect(await status()).toBe('sent');
  });

  it('counts if it succeeds, although a newer one failed', async () => {
    const { older, newer, end, status } = await twoAttempts();
    expect(await end(older, 'sent')).toBe(true);
    expect(await end(newer, 'will-retry')).toBe(false);
    expect(await status()).toBe('sent');
  });

  it('a success counts, even after a newer attempt failed', async () => {
    const { older, newer, end, status } = await twoAttempts();
    expect(await end(newer, 'will-retry')).toBe(true);
    expect(await status()).toBe('queued');
    expect(await end(older, 'sent')).toBe(true);
    expect(await status()).toBe('sent');
  });

  it('adds no job and starts no other attempt', async () => {
    const referral = await fixture.made(fixture.live);
    const { id } = await fixture.deliveryTo(referral, 'gp_practice');
    const before = await jobsFor(fixture.pool, id);
    const overtaken = async () => {
      await startAttempt(fixture.live.db, id, 'document', null, fixture.clock.now());
      throw new SimulatedFailure('permanent', 'Nobody is there.');
    };
    await deliver({ ...fixture.live, channels: channelsWith(overtaken, 'document') }, { delivery_id: id });
    expect(await fixture.deliveryTo(referral, 'gp_practice')).toMatchObject({
      status: 'sending',
      attempts: [{ outcome: 'interrupted' }],
    });
    const after = await jobsFor(fixture.pool, id);
    expect(after.map((job) => job.id)).toEqual(before.map((job) => job.id));
  });
});
