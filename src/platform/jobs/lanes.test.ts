import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { until } from '../../../test/until.ts';
import { type Database, inTransaction } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { addJobs, startWorker } from './index.ts';
import { createLanes } from './lanes.ts';
import { createTurns } from './turns.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('delete from graphile_worker._private_jobs'));

/** A worker whose jobs hang until they are let go; `spoken` are those that have begun. */
async function aWorker() {
  const spoken: string[] = [];
  const open = new Map<string, PromiseWithResolvers<void>>();
  let atOnce = 0;
  let mostAtOnce = 0;
  const worker = await startWorker({
    database,
    schedule: [],
    log: createLog('silent'),
    handlers: {
      async speak({ name }: { name: string }) {
        spoken.push(name);
        atOnce += 1;
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        open.set(name, Promise.withResolvers());
        await open.get(name)!.promise;
        atOnce -= 1;
      },
      async note({ name }: { name: string }) {
        spoken.push(name);
      },
    },
  });
  const letGo = (...names: string[]) => {
    for (const name of names) open.get(name)!.resolve();
  };
  return {
    spoken,
    letGo,
    mostAtOnce: () => mostAtOnce,
    async stop() {
      await database.pool.query('delete from graphile_worker._private_jobs where locked_at is null');
      letGo(...open.keys());
      await worker.stop();
    },
  };
}

const spokenTo = (names: readonly string[]) => names.map((name) => name[0]).sort();

/** Jobs by name; `a1` and `a2` speak to `a`. */
const add = (...names: string[]) =>
  inTransaction(database.db, (trx) =>
    addJobs(
      trx,
      'speak',
      names.map((name) => ({ name, receiver: name[0] })),
    ),
  );
const note = (name: string) => inTransaction(database.db, (trx) => addJobs(trx, 'note', [{ name }]));

test('however many receivers hang, one place is left for what speaks to nobody', async () => {
  await add('a1', 'b1', 'c1', 'd1', 'e1');
  const { spoken, stop, mostAtOnce } = await aWorker();
  try {
    await until(() => spoken.length === 3);
    await note('inside');
    await until(() => spoken.includes('inside'));
    expect(mostAtOnce()).toBe(3);
  } finally {
    await stop();
  }
});

test('one that has not answered yet has one place, and a receiver that comes later has its own', async () => {
  await add('a1', 'a2', 'a3', 'a4');
  const { spoken, stop } = await aWorker();
  try {
    await until(() => spoken.length === 1);
    await add('b1', 'b2');
    await note('inside');
    await until(() => spoken.length === 3);
    expect(spokenTo(spoken)).toEqual(['a', 'b', 'i']);
  } finally {
    await stop();
  }
});

test('one that answers has all three while nobody else waits, and otherwise lets others go first', async () => {
  await add('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
  const { spoken, letGo, stop, mostAtOnce } = await aWorker();
  try {
    await until(() => spoken.length === 1);
    letGo(spoken[0]!);
    await until(() => spoken.length === 4);
    await add('b1');
    // It holds for a moment that nobody else waits.
    await new Promise((resolve) => setTimeout(resolve, 200));
    letGo(spoken[1]!);
    await until(() => spoken.length === 5);
    expect(spoken.at(-1)).toBe('b1');
    expect(mostAtOnce()).toBe(3);
  } finally {
    await stop();
  }
});

test('jobs that an older version added run as before', async () => {
  const { spoken, stop } = await aWorker();
  try {
    for (const name of ['a1', 'a2', 'a3', 'a4'])
      await database.pool.query('select graphile_worker.add_job($1, $2)', [
        'speak',
        JSON.stringify({ name }),
      ]);
    await until(() => spoken.length === 4);
  } finally {
    await stop();
  }
});

/** Lanes alone, whose jobs end when they are told to. */
function someLanes() {
  const lanes = createLanes(4, () => {});
  const takes = async (receiver: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forbidden = await lanes.forbidden();
    const done = lanes.during({ receiver }, () => promise);
    const end = () => {
      resolve();
      return done;
    };
    return { forbidden, end };
  };
  return { lanes, takes };
}

test('those that kept the site waiting never have the last place, and have it again when they answer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { lanes, takes } = someLanes();
    const hung = [await takes('a'), await takes('b'), await takes('c')];
    vi.advanceTimersByTime(10_000);
    for (const { end } of hung) await end();
    const again = await takes('a');
    await takes('b');
    const last = await takes('d');
    expect(last.forbidden.toSorted()).toEqual(['to a', 'to b', 'to c']);
    await last.end();
    await again.end();
    // a has answered, so that only b keeps the site waiting, and c may try; a and d had their turns.
    expect(await lanes.forbidden()).toEqual(['to b', 'to d', 'to a']);
    lanes.none();
  } finally {
    vi.useRealTimers();
  }
});

test('of those that answer each has a turn before a slow one has its next', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { lanes, takes } = someLanes();
    await takes('a');
    await takes('b');
    vi.advanceTimersByTime(10_000);
    const slow = await takes('c');
    vi.advanceTimersByTime(4900);
    await slow.end();
    const quick = await takes('d');
    expect(quick.forbidden).toEqual(['to a', 'to b', 'to c']);
    await quick.end();
    expect(await lanes.forbidden()).toEqual(['to a', 'to b', 'to c', 'to d']);
    // Nobody else waits: it looks again, and finds whoever has most to say.
    expect(lanes.none()).toBe(true);
    expect(await lanes.forbidden()).toEqual(['to a', 'to b']);
    lanes.none();
  } finally {
    vi.useRealTimers();
  }
});

test('a turn that is never given back keeps nobody from the next for ever', async () => {
  const turns = createTurns(10);
  await turns.take();
  await expect(turns.take()).resolves.toBeUndefined();
});
