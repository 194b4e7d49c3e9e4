import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../../test/app/manual-clock.ts';
import { testDatabase } from '../../../../test/database/test-database.ts';
import { anAcknowledgement } from '../../../../test/delivery/gp-acknowledgement.ts';
import { meshFixture } from '../../../../test/delivery/mesh-fixture.ts';
import { deleteMeshMessages, storedMeshMessage } from '../../../../test/delivery/stored.ts';
import { storeUnmatchedMessages } from '../../../../test/delivery/unmatched-message.ts';
import type { Database } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import type { DeliveryReport } from '../channel.ts';
import { collectMailbox } from './collect-mailbox.ts';
import { readPage } from './exchange.ts';
import { createMesh } from './mesh.ts';
import { countUnmatchedMessages } from './messages-store.ts';

// Anybody with a mailbox at the exchange can write to the site's. The site keeps such a message for an operator to read, and acknowledges
// it only if it is kept whole. The message must not fill memory or the database, or block the messages behind it.

const clock = manualClock();
let database: Database;
let fixture: Awaited<ReturnType<typeof meshFixture>>;
beforeAll(async () => {
  database = await testDatabase();
  fixture = await meshFixture(clock);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const envelope = { 'mex-to': 'X26ABC1', 'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT_ACK' };

async function collect(): Promise<DeliveryReport[]> {
  const told: DeliveryReport[] = [];
  const secrets = createSecrets(Buffer.alloc(32));
  const metrics = createMetrics();
  const deps = {
    db: database.db,
    clock,
    settings: fixture.settings(),
    log: createLog('silent'),
    secrets,
    metrics,
  };
  fixture.fake.seen.length = 0;
  await createMesh(deps).poll!(async (news) => {
    told.push(news);
    return true;
  });
  return told;
}

/** Puts a message into the site's mailbox, then one that it waits for, and has both collected. */
async function collectBehind(chunks: Buffer[], headers: Record<string, string> = {}) {
  const { exchange } = fixture.fake;
  const send = (body: Buffer, given = {}) => exchange.send(fixture.practice, { ...envelope, ...given }, body);
  const parts = (number: number) =>
    chunks.length > 1 ? { ...headers, 'mex-chunk-range': `${number}:${chunks.length}` } : headers;
  const { id } = send(chunks[0]!, parts(1));
  for (const [index, chunk] of chunks.slice(1).entries())
    exchange.addChunk(fixture.practice, id, index + 2, parts(index + 2), chunk);
  const wanted = newId();
  const letter = { 'mex-to': fixture.practice.id, 'mex-localid': wanted };
  exchange.send(fixture.site, { ...envelope, ...letter }, Buffer.from('a letter'));
  send(anAcknowledgement(wanted, '30001'));
  const told = await collect();
  expect(told.map(({ about }) => about)).toEqual([{ messageId: wanted }]);
  const { body, length, matched } = await storedMeshMessage(database.db, id);
  expect(matched).toBe(false);
  const downloads = fixture.fake.seen.filter((each) => each.startsWith('download')).length;
  const left = exchange.inboxOf(fixture.site);
  // What is left there is not downloaded again at each round.
  await collect();
  expect(fixture.fake.seen.filter((each) => each.startsWith('download'))).toEqual([]);
  expect(exchange.inboxOf(fixture.site)).toEqual(left);
  for (const each of left) each.status = 'acknowledged';
  return { kept: body.length, length, downloads, staysAtExchange: left.length > 0 };
}

describe('hostile messages in the site’s mailbox', () => {
  it('are not collected to the end if they have too many chunks', async () => {
    const chunks = Array.from({ length: 150 }, () => Buffer.from('x'));
    expect(await collectBehind(chunks)).toEqual({
      kept: 100,
      length: 100,
      downloads: 101,
      staysAtExchange: true,
    });
  });

  it('are kept packed if their chunks unpack to too much', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000));
    const { kept, length, staysAtExchange } = await collectBehind([bomb, bomb], {
      'content-encoding': 'gzip',
    });
    expect([kept, length, staysAtExchange]).toEqual([2 * bomb.length, 2 * bomb.length, false]);
  });

  it('are not read if they look like very long acknowledgements', async () => {
    const much = Buffer.alloc(64 * 1024, ' ');
    const whole = Buffer.concat([anAcknowledgement(newId(), '30002'), much]);
    const { kept, staysAtExchange } = await collectBehind([whole]);
    expect([kept, staysAtExchange]).toEqual([whole.length, false]);
  });

  it('stay at the exchange, with their beginning kept, at 99 MB', async () => {
    const { kept, length, downloads, staysAtExchange } = await collectBehind([Buffer.alloc(99_000_000, 'x')]);
    expect([kept, length, downloads, staysAtExchange]).toEqual([65_536, 99_000_000, 2, true]);
  });

  it('are kept packed if they are zip bombs', async () => {
    // Ten of these in a row are one file, too.
    const tenth = gzipSync(Buffer.alloc(30_000_000));
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => tenth));
    expect(bomb.length).toBeGreaterThan(250_000);
    const { kept, length, staysAtExchange } = await collectBehind([bomb], { 'content-encoding': 'gzip' });
    expect([kept, length, staysAtExchange]).toEqual([bomb.length, bomb.length, false]);
  });

  it('stay at the exchange once much is kept already', async () => {
    await storeUnmatchedMessages(database.db, { count: 10, bytes: 5_000_000 });
    const { kept, length, staysAtExchange } = await collectBehind([Buffer.from('one more')]);
    expect([kept, length, staysAtExchange]).toEqual([0, 8, true]);
    await deleteMeshMessages(database.db);
  });

  it('stay at the exchange once ten thousand are unmatched', async () => {
    await deleteMeshMessages(database.db);
    await storeUnmatchedMessages(database.db, { count: 10_000, bytes: 0 });
    const { exchange } = fixture.fake;
    exchange.send(fixture.practice, envelope, Buffer.from('one too many'));
    await collect();
    expect(exchange.inboxOf(fixture.site)).toHaveLength(1);
    expect(await countUnmatchedMessages(database.db)).toBe(10_000);
    await deleteMeshMessages(database.db);
  });

  it('are not downloaded again while ten thousand are unmatched', async () => {
    await deleteMeshMessages(database.db);
    await storeUnmatchedMessages(database.db, { count: 10_000, bytes: 0 });
    const collected = async () =>
      (await collectFrom(() => ({ ids: ['one-too-many'], next: undefined }))).filter((call) =>
        call.startsWith('collect'),
      ).length;
    expect([await collected(), await collected()]).toEqual([1, 0]);
    await deleteMeshMessages(database.db);
    expect(await collected(), 'there is room again').toBe(1);
    await deleteMeshMessages(database.db);
  });

  /** Collects from an exchange that gives this list of messages. */
  async function collectFrom(
    pageOf: (from: string | undefined) => { ids: string[]; next: string | undefined },
  ) {
    const calls: string[] = [];
    const exchange = {
      list: async (from?: string) => {
        calls.push(`list ${from ?? ''}`);
        return pageOf(from);
      },
      collect: async (id: string) => {
        calls.push('collect');
        return {
          id,
          type: 'DATA',
          workflow: '',
          headers: {},
          body: Buffer.from('x'),
          length: 1,
          isWhole: true,
        } as const;
      },
      acknowledge: async () => {
        calls.push('acknowledge');
        throw new Error('not now');
      },
    };
    const deps = { db: database.db, clock, log: createLog('silent') };
    await collectMailbox(deps, exchange as never, async () => false);
    return calls;
  }

  it('listed again and again end the collecting', async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `same-${n}`);
    const calls = await collectFrom(() => ({ ids, next: 'same-499' }));
    expect(calls.filter((each) => each.startsWith('list'))).toHaveLength(2);
    // What cannot be acknowledged is read once, and acknowledged once more at the next round.
    expect(await collectFrom(() => ({ ids: ids.slice(0, 1), next: undefined }))).toEqual([
      'list ',
      'acknowledge',
    ]);
  });

  it('are collected from twenty pages where pages never end', async () => {
    let page = 0;
    const calls = await collectFrom(() => {
      page += 1;
      return { ids: [`endless-${page}`], next: `place-${page}` };
    });
    expect(calls.filter((each) => each.startsWith('list'))).toHaveLength(20);
  });

  it('are listed safely, whatever the list says', () => {
    expect(readPage(null)).toEqual({ ids: [], next: undefined });
    expect(readPage({ messages: ['a', 'a', 7, '', 'x'.repeat(300)], links: { next: 5 } })).toEqual({
      ids: ['a'],
      next: undefined,
    });
    const links = { next: 'https://elsewhere.example/messageexchange/OTHER/inbox?continue_from=b' };
    expect(readPage({ messages: [], links }).next).toBe('b');
  });
});
