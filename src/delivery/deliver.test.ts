import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { manualClock } from '../../test/manual-clock.ts';
import type { Database } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Referral } from '../referrals/index.ts';
import { startAttempt } from './attempts-store.ts';
import { type Channel, RetryableFailure } from './channels/channel.ts';
import { type Channels, createChannels } from './channels/index.ts';
import { composeMessage } from './compose-message.ts';
import { deliver, deliverBy } from './deliver.ts';
import type { exampleReferral } from './example-referral.ts';
import { findDelivery, listDeliveriesOf } from './store.ts';
import { storeReferral, tellOfChange, testPlatform } from './test-site.ts';

let database: Database;
let site: Platform;
let live: Platform;
const clock = manualClock();

beforeAll(async () => {
  database = await testDatabase();
  const given = { db: database.db, clock, dataDir: await mkdtemp(join(tmpdir(), 'onward-deliver-')) };
  site = testPlatform('test', given);
  live = testPlatform('live', given);
});
afterAll(() => database.close());

async function made(deps: Platform, given: Parameters<typeof exampleReferral>[0] = {}): Promise<Referral> {
  const referral = await storeReferral(database.pool, { simulated: deps === site, ...given });
  await tellOfChange(deps, referral, null);
  return referral;
}

const told = (referral: Referral) => listDeliveriesOf(database.db, referral.id);
const legOf = async (referral: Referral, leg: string) =>
  (await told(referral)).find((each) => each.leg === leg)!;

async function captured(referral: Referral) {
  const { rows } = await database.pool.query(
    'select recipient, channel from captured_messages where referral_id = $1 order by channel desc',
    [referral.id],
  );
  return rows;
}

/** Channels of which each one does this instead. */
function instead(send: Channel['send'], ...names: string[]): Channels {
  return { live: names.map((name) => ({ name, send })), sinkFor: ({ name }) => ({ name, send }) };
}

describe('on a test site', () => {
  test('everything ends in the sink, as by the channel that live would take', async () => {
    const referral = await made(site);
    for (const { id } of await told(referral)) await deliver(site, { delivery_id: id });
    expect(await told(referral)).toMatchObject([
      { leg: 'service', status: 'received', channel: 'inbox', attempts: [{ outcome: 'received' }] },
      { leg: 'gp_practice', status: 'sent', channel: 'document', attempts: [{ outcome: 'sent' }] },
    ]);
    expect(await captured(referral)).toEqual([
      { recipient: 'Sarrowby Community Choir', channel: 'inbox' },
      { recipient: 'Mill Lane Surgery', channel: 'document' },
    ]);
    expect(await readdir(site.settings.dataDir)).not.toContain('documents');
  });

  test('running the job again, or for a delivery that is suppressed or gone, does nothing', async () => {
    const referral = await made(site, { gp_practice: null });
    for (let time = 0; time < 2; time += 1)
      for (const { id } of await told(referral)) await deliver(site, { delivery_id: id });
    await deliver(site, { delivery_id: referral.id });
    expect((await told(referral)).map(({ attempts }) => attempts.length)).toEqual([1, 0]);
    expect(await captured(referral)).toHaveLength(1);
  });
});

describe('after a kill', () => {
  test('between sending and writing it down: the same message, and only one', async () => {
    const referral = await made(site);
    const { id } = await legOf(referral, 'gp_practice');
    const delivery = (await findDelivery(site.db, id))!;
    await startAttempt(site.db, id, 'document', clock.now());
    const channels = createChannels(site);
    await channels.sinkFor(channels.live[1]!).send(composeMessage(site.settings, delivery, referral));

    await deliver(site, { delivery_id: id });
    expect(await captured(referral)).toHaveLength(1);
    expect(await legOf(referral, 'gp_practice')).toMatchObject({
      status: 'sent',
      attempts: [{ outcome: 'interrupted' }, { outcome: 'sent' }],
    });
  });

  test('two workers with the same job at once capture one message', async () => {
    const referral = await made(site);
    const { id } = await legOf(referral, 'service');
    await Promise.all([deliver(site, { delivery_id: id }), deliver(site, { delivery_id: id })]);
    expect(await captured(referral)).toHaveLength(1);
    expect((await legOf(referral, 'service')).status).toBe('received');
  });
});

describe('when it does not work', () => {
  const full = async () => {
    throw new RetryableFailure('The disk with the folder of letters is full.');
  };

  test('the attempt is written down, and the job is told to come back', async () => {
    const referral = await made(live);
    const { id } = await legOf(referral, 'gp_practice');
    await expect(deliverBy(live, instead(full, 'document'), id)).rejects.toThrow('is full');
    const detail = 'The disk with the folder of letters is full.';
    expect(await legOf(referral, 'gp_practice')).toMatchObject({
      status: 'queued',
      channel: 'document',
      detail,
      attempts: [{ outcome: 'will-retry', detail }],
    });
    await deliver(live, { delivery_id: id });
    expect(await legOf(referral, 'gp_practice')).toMatchObject({ status: 'sent', detail: null });
    expect(await readdir(join(live.settings.dataDir, 'documents'))).toHaveLength(1);
    expect(await captured(referral)).toEqual([]);
  });

  test('an unforeseen error is not quoted, because it may quote a patient', async () => {
    const referral = await made(live);
    const { id } = await legOf(referral, 'service');
    const crash = async () => {
      throw new Error('cannot read Margaret');
    };
    await expect(deliverBy(live, instead(crash, 'inbox'), id)).rejects.toThrow();
    expect((await legOf(referral, 'service')).detail).toBe('Something went wrong on this site.');
  });

  test('after 25 attempts it has failed, says so, and is left alone', async () => {
    const referral = await made(live);
    const { id } = await legOf(referral, 'gp_practice');
    for (let number = 1; number < 25; number += 1)
      await expect(deliverBy(live, instead(full, 'document'), id)).rejects.toThrow();
    await deliverBy(live, instead(full, 'document'), id);
    const { status, detail, attempts } = await legOf(referral, 'gp_practice');
    expect(status).toBe('failed');
    expect(detail).toBe('The disk with the folder of letters is full. It was tried 25 times.');
    await deliver(live, { delivery_id: id });
    expect((await legOf(referral, 'gp_practice')).attempts).toEqual(attempts);
  });

  test('an inbox that nobody can open fails for good, in plain words', async () => {
    const referral = await made(live);
    const { id } = await legOf(referral, 'service');
    await deliver(live, { delivery_id: id });
    const detail = 'Nobody at Sarrowby Community Choir has an account on this site that can open it.';
    expect(await legOf(referral, 'service')).toMatchObject({
      status: 'failed',
      detail,
      attempts: [{ outcome: 'failed', detail }],
    });
  });

  test('the next channel that the practice wants is tried where one refuses for good', async () => {
    await database.pool.query(
      `insert into practices (ods_code, name, channels, imported_at, updated_at)
       values ('Z99003', 'Weir Surgery', '{pigeon,inbox,document}', now(), now())`,
    );
    const referral = await made(live, { gp_practice: { ods_code: 'Z99003', name: 'Weir Surgery' } });
    const { id } = await legOf(referral, 'gp_practice');
    await deliver(live, { delivery_id: id });
    expect(await legOf(referral, 'gp_practice')).toMatchObject({
      status: 'sent',
      channel: 'document',
      attempts: [{ outcome: 'failed' }, { outcome: 'sent' }],
    });
  });

  test('a channel that this site does not have is named', async () => {
    await database.pool.query(
      `insert into practices (ods_code, name, channels, imported_at, updated_at)
       values ('Z99004', 'Mesh Surgery', '{pigeon}', now(), now())`,
    );
    const referral = await made(live, { gp_practice: { ods_code: 'Z99004', name: 'Mesh Surgery' } });
    const { id } = await legOf(referral, 'gp_practice');
    await deliver(live, { delivery_id: id });
    expect(await legOf(referral, 'gp_practice')).toMatchObject({
      status: 'failed',
      detail: 'This site has none of the ways that are set for reaching Mesh Surgery: pigeon.',
    });
  });
});

test('an answer that comes while the message is on its way is not undone', async () => {
  const referral = await made(site);
  const { id } = await legOf(referral, 'service');
  const answered = async () => {
    await tellOfChange(site, { ...referral, status: 'accepted', version: 2 }, 'requested');
    return { status: 'received', detail: 'It is there now.' } as const;
  };
  await deliverBy(site, instead(answered, 'inbox'), id);
  expect(await legOf(referral, 'service')).toMatchObject({
    status: 'acknowledged',
    attempts: [{ outcome: 'received' }],
  });
});

test('a made-up patient in a live site’s database is not let out', async () => {
  const referral = await made(live, { simulated: true });
  for (const { id } of await told(referral)) await deliver(live, { delivery_id: id });
  expect(await captured(referral)).toHaveLength(2);
});

test('attempts are never changed', async () => {
  const changing = database.pool.query("update delivery_attempts set detail = 'nothing happened'");
  await expect(changing).rejects.toThrow('append-only');
});
