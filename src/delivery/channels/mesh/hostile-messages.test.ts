import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/database.ts';
import { anAcknowledgement } from '../../../../test/delivery/an-acknowledgement.ts';
import { meshStage } from '../../../../test/delivery/mesh-stage.ts';
import { manualClock } from '../../../../test/manual-clock.ts';
import type { Database } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import type { News } from '../channel.ts';
import { createMesh } from './mesh.ts';

// Whoever has a mailbox at the exchange may write to the site's. Such a message is kept for somebody to look at, and
// neither fills the memory nor blocks those behind it.

const clock = manualClock();
let database: Database;
let stage: Awaited<ReturnType<typeof meshStage>>;
beforeAll(async () => {
  database = await testDatabase();
  stage = await meshStage(clock);
});
afterAll(async () => {
  await stage.close();
  await database.close();
});

const envelope = { 'mex-to': 'X26ABC1', 'mex-workflowid': 'GPCONNECT_SEND_DOCUMENT_ACK' };

/** Puts a message into the site's mailbox, then one that it waits for, and has both collected. */
async function collectBehind(chunks: Buffer[], headers: Record<string, string> = {}) {
  const { exchange } = stage.fake;
  const send = (body: Buffer, given = {}) => exchange.send(stage.practice, { ...envelope, ...given }, body);
  const parts = (number: number) =>
    chunks.length > 1 ? { ...headers, 'mex-chunk-range': `${number}:${chunks.length}` } : headers;
  const { id } = send(chunks[0]!, parts(1));
  for (const [index, chunk] of chunks.slice(1).entries())
    exchange.addChunk(stage.practice, id, index + 2, parts(index + 2), chunk);
  const wanted = newId();
  send(anAcknowledgement(wanted, '30001'));
  const told: News[] = [];
  const secrets = createSecrets(Buffer.alloc(32));
  const deps = { db: database.db, clock, settings: stage.settings(), log: createLog('silent'), secrets };
  stage.fake.seen.length = 0;
  await createMesh(deps).poll!(async (news) => {
    told.push(news);
    return true;
  });
  expect(told.map(({ about }) => about)).toEqual([{ messageId: wanted }]);
  expect(exchange.inboxOf(stage.site)).toEqual([]);
  const { rows } = await database.pool.query(
    'select length(body) as length, understood from mesh_messages where id = $1',
    [id],
  );
  expect(rows[0].understood).toBe(false);
  const downloads = stage.fake.seen.filter((each) => each.startsWith('download')).length;
  return { length: rows[0].length, downloads };
}

test('one in more parts than anything that is meant for the site is not collected to its end', async () => {
  const chunks = Array.from({ length: 150 }, () => Buffer.from('x'));
  expect(await collectBehind(chunks)).toEqual({ length: 100, downloads: 101 });
});

test('parts that unpack to more together than a whole message may are kept packed', async () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  const { length } = await collectBehind([bomb, bomb], { 'content-encoding': 'gzip' });
  expect(length).toBe(2 * bomb.length);
});

test('an acknowledgement longer than any is not read', async () => {
  const much = Buffer.alloc(64 * 1024, ' ');
  await collectBehind([Buffer.concat([anAcknowledgement(newId(), '30002'), much])]);
});
