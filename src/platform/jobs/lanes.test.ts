import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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
  await add('a1', 'b1', 'c1', 'd1', 'e1', 'f1');
  const { spoken, stop, mostAtOnce } = await aWorker();
  try {
    await until(() => spoken.length === 4);
    await note('inside');
    await until(() => spoken.includes('inside'));
    expect(mostAtOnce()).toBe(4);
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

test('one that answers has all four while nobody else waits, and otherwise lets others go first', async () => {
  await add('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7');
  const { spoken, letGo, stop, mostAtOnce } = await aWorker();
  try {
    await until(() => spoken.length === 1);
    letGo(spoken[0]!);
    await until(() => spoken.length === 5);
    await add('b1');
    // It holds for a moment that nobody else waits.
    await new Promise((resolve) => setTimeout(resolve, 200));
    letGo(spoken[1]!);
    await until(() => spoken.length === 6);
    expect(spoken.at(-1)).toBe('b1');
    expect(mostAtOnce()).toBe(4);
  } finally {
    await stop();
  }
});

test('jobs that last have two places, so that what comes meanwhile has one', async () => {
  const lastingJobs = ['a', 'b', undefined, undefined, 'c'].map((receiver, index) => ({
    name: `long${index}`,
    receiver,
    lasting: true,
  }));
  await inTransaction(database.db, (trx) => addJobs(trx, 'speak', lastingJobs));
  const { spoken, letGo, stop, mostAtOnce } = await aWorker();
  try {
    await until(() => spoken.length === 2);
    await note('inside');
    await add('d1');
    await until(() => spoken.includes('inside') && spoken.includes('d1'));
    expect(mostAtOnce()).toBe(3);
    letGo('d1');
    for (let ended = 0; ended < 3; ended += 1) {
      const [oldest] = spoken.filter((name) => name.startsWith('long')).slice(ended);
      letGo(oldest!);
      await until(() => spoken.length === 5 + ended);
    }
    expect(mostAtOnce()).toBe(3);
  } finally {
    await stop();
  }
});

test('jobs that an older version added run as before', async () => {
  const { spoken, stop } = await aWorker();
  try {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5'])
      await database.pool.query('select graphile_worker.add_job($1, $2)', [
        'speak',
        JSON.stringify({ name }),
      ]);
    await until(() => spoken.length === 5);
  } finally {
    await stop();
  }
});

/** Lanes alone, whose jobs end when they are told to. */
function someLanes() {
  const lanes = createLanes(5, () => {});
  const takes = async (receiver: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forbidden = (await lanes.forbidden()).toSorted();
    const done = lanes.during({ receiver }, () => promise);
    const end = () => {
      resolve();
      return done;
    };
    return { forbidden, end };
  };
  /** A pick that finds nothing. @returns what it left out, and whether there is to be a second look. */
  const looks = async () => [(await lanes.forbidden()).toSorted(), lanes.none()];
  /** Each takes a call and says nothing until it is given up. */
  const hang = async (...receivers: string[]) => {
    const hung = [];
    for (const receiver of receivers) hung.push(await takes(receiver));
    vi.advanceTimersByTime(10_000);
    for (const { end } of hung) await end();
  };
  return { takes, looks, hang };
}

describe('as time goes by', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('those that kept the site waiting never have the last place, and have it again when they answer', async () => {
    const { takes, looks, hang } = someLanes();
    await hang('a', 'b', 'c', 'd');
    const again = await takes('a');
    await takes('b');
    await takes('c');
    const last = await takes('e');
    expect(last.forbidden).toEqual(['to a', 'to b', 'to c', 'to d']);
    await last.end();
    await again.end();
    // a has answered, so that only b and c keep the site waiting, and d may try when those beside it had a turn.
    expect(await looks()).toEqual([['to a', 'to b', 'to c', 'to d', 'to e'], true]);
    expect(await looks()).toEqual([['to b', 'to c'], false]);
  });

  test('nor have they the last place while it is not known whether one of the others will answer', async () => {
    const { takes, hang } = someLanes();
    await hang('a', 'b', 'c', 'd');
    for (const receiver of ['unknown', 'a', 'b']) await takes(receiver);
    expect((await takes('healthy')).forbidden).toEqual(['to a', 'to b', 'to c', 'to d', 'to unknown']);
  });

  test('of those that hang each is tried before one is tried again, since one of them may answer by now', async () => {
    const { takes, looks, hang } = someLanes();
    await hang('a', 'b', 'c', 'd');
    await looks();
    const oldest = await takes('a');
    for (const receiver of ['b', 'c']) await takes(receiver);
    vi.advanceTimersByTime(10_000);
    // None of them may have the last place, so that looking for something else gives none of them its turn.
    expect(await looks()).toEqual([['to a', 'to b', 'to c', 'to d'], false]);
    await oldest.end();
    expect((await takes('d')).forbidden).toEqual(['to a', 'to b', 'to c']);
  });

  test('of those that answer each has a turn before a slow one has its next', async () => {
    const { takes, looks } = someLanes();
    for (const hanging of ['a', 'b', 'c']) await takes(hanging);
    vi.advanceTimersByTime(10_000);
    const slow = await takes('d');
    vi.advanceTimersByTime(4900);
    await slow.end();
    const quick = await takes('e');
    expect(quick.forbidden).toEqual(['to a', 'to b', 'to c', 'to d']);
    await quick.end();
    expect(await looks()).toEqual([['to a', 'to b', 'to c', 'to d', 'to e'], true]);
    // Nobody else waits: it looks again, and finds whoever has most to say.
    expect(await looks()).toEqual([['to a', 'to b', 'to c'], false]);
  });
});

test('a turn that is never given back keeps nobody from the next for ever', async () => {
  const turns = createTurns(10);
  await turns.take();
  await expect(turns.take()).resolves.toBeUndefined();
});
