import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel, Failure } from '../../src/delivery/channels/channel.ts';
import type { Channels } from '../../src/delivery/channels/deps.ts';
import { type ListedDelivery, listDeliveriesOf } from '../../src/delivery/model/deliveries-store.ts';
import { connect } from '../../src/platform/database/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import type { Referral } from '../../src/referrals/index.ts';
import { manualClock } from '../app/manual-clock.ts';
import { testDatabase } from '../database/test-database.ts';
import type { exampleReferral } from './example-referral.ts';
import { storePractice } from './receivers.ts';
import { capturedMessages } from './stored.ts';
import { storeReferral, tellOfChange, testPlatform } from './test-site.ts';

/** For tests of the `deliver` job: a test site and a live one, on one database. */
export async function deliveryFixture() {
  const database = await testDatabase();
  const { pool, db } = database;
  const clock = manualClock();
  const dataDir = await mkdtemp(join(tmpdir(), 'onward-deliver-'));
  const site = testPlatform('test', { db, clock, dataDir });
  const live = testPlatform('live', { db, clock, dataDir });
  const told = (referral: Referral) => listDeliveriesOf(db, referral.id);
  return {
    pool,
    clock,
    site,
    live,
    /** A referral whose deliveries are queued at this site. */
    async made(deps: Platform, given: Parameters<typeof exampleReferral>[0] = {}): Promise<Referral> {
      const referral = await storeReferral(pool, { simulated: deps === site, ...given });
      await tellOfChange(deps, referral, null);
      return referral;
    },
    told,
    async deliveryTo(referral: Referral, leg: ListedDelivery['leg']): Promise<ListedDelivery> {
      return (await told(referral)).find((each) => each.leg === leg)!;
    },
    /** What a test site captured of the referral, the message to the service first. */
    async captured(referral: Referral): Promise<object[]> {
      const messages = (await capturedMessages(db)).filter((each) => each.referral_id === referral.id);
      return messages
        .map(({ recipient, channel }) => ({ recipient, channel }))
        .sort((one, other) => (one.channel < other.channel ? 1 : -1));
    },
    /** Works with the test site on a pool of one connection. */
    async withOneConnection(work: (one: ReturnType<typeof testPlatform>) => Promise<void>): Promise<void> {
      const one = connect(database.connection, createLog('silent'), 1);
      try {
        await work(testPlatform('test', { db: one.db, clock, dataDir }));
      } finally {
        await one.close();
      }
    },
    aPractice: (odsCode: string, name: string, channels: string[]) =>
      storePractice(db, { odsCode, name, channels }),
    async close(): Promise<void> {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Channels that do this instead of sending, and know no error but `SimulatedFailure`. */
export function channelsWith(send: Channel['send'], ...names: string[]): Channels {
  const outgoing = names.map((name) => stubChannel(name, { send }));
  return { outgoing, capturing: ({ name }) => stubChannel(name, { send }) };
}

/** Thrown by a channel of a test to say how its attempt failed. */
export class SimulatedFailure extends Error {
  readonly failure: Failure;
  constructor(kind: Failure['kind'], detail: string) {
    super();
    this.failure = kind === 'held' ? { kind, by: 'message-exchange', detail } : { kind, detail };
  }
}

/** A channel that sends nothing anywhere, unless a test says what it does instead. */
export function stubChannel(name: string, given: Partial<Channel> = {}): Channel {
  return {
    name,
    idempotent: true,
    receiverCanConfirm: false,
    render: async (_db, { text }) => ({
      address: name,
      headers: {},
      body: text({ hasLetter: false }),
      files: [],
    }),
    send: async () => ({ status: 'sent', detail: 'It is on its way.' }),
    classify: (error) => (error instanceof SimulatedFailure ? error.failure : undefined),
    ...given,
  };
}
