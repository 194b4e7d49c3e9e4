import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addOldJob, takeJobs } from '../../../test/app/jobs.ts';
import { until } from '../../../test/app/until.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, inTransaction } from '../database/index.ts';
import { createLog } from '../log/index.ts';
import { addJobs, startWorker } from './index.ts';
import { createMutexWithTimeout, createSlots } from './slots.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => void (await takeJobs(database.pool)));

/** A worker whose jobs hang until the test ends them; `started` has those that have begun. */
async function startHangingWorker() {
  const started: string[] = [];
  const open = new Map<string, PromiseWithResolvers<void>>();
  let atOnce = 0;
  let maxConcurrent = 0;
  const worker = await startWorker({
    database,
    schedule: [],
    log: createLog('silent'),
    handlers: {
      async call({ name }: { name: string }) {
        started.push(name);
        atOnce += 1;
        maxConcurrent = Math.max(maxConcurrent, atOnce);
        open.set(name, Promise.withResolvers());
        await open.get(name)!.promise;
        atOnce -= 1;
      },
      async note({ name }: { name: string }) {
        started.push(name);
      },
    },
  });
  const finish = (...names: string[]) => {
    for (const name of names) open.get(name)!.resolve();
  };
  return {
    started,
    finish,
    maxConcurrent: () => maxConcurrent,
    async stop() {
      await takeJobs(database.pool);
      finish(...open.keys());
      await worker.stop();
    },
  };
}

const systemsOf = (names: readonly string[]) => names.map((name) => name[0]).sort();

/** Jobs by name; `a1` and `a2` call `a`. */
const add = (...names: string[]) =>
  inTransaction(database.db, (trx) =>
    addJobs(
      trx,
      'call',
      names.map((name) => ({ name, receiver: name[0] })),
    ),
  );
const note = (name: string) => inTransaction(database.db, (trx) => addJobs(trx, 'note', [{ name }]));

describe('the slots of a worker', () => {
  it('keep one for jobs that call nobody while systems hang', async () => {
    await add('a1', 'b1', 'c1', 'd1', 'e1', 'f1');
    const { started, stop, maxConcurrent } = await startHangingWorker();
    try {
      await until(() => started.length === 4);
      await note('inside');
      await until(() => started.includes('inside'));
      expect(maxConcurrent()).toBe(4);
    } finally {
      await stop();
    }
  });

  it('give one to a system that has not answered yet', async () => {
    await add('a1', 'a2', 'a3', 'a4');
    const { started, stop } = await startHangingWorker();
    try {
      await until(() => started.length === 1);
      await add('b1', 'b2');
      await note('inside');
      await until(() => started.length === 3);
      expect(systemsOf(started)).toEqual(['a', 'b', 'i']);
    } finally {
      await stop();
    }
  });

  it('give all four to a system that answers, until another waits', async () => {
    await add('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7');
    const { started, finish, stop, maxConcurrent } = await startHangingWorker();
    try {
      await until(() => started.length === 1);
      finish(started[0]!);
      await until(() => started.length === 5);
      await add('b1');
      finish(started[1]!);
      await until(() => started.length === 6);
      expect(started.at(-1)).toBe('b1');
      expect(maxConcurrent()).toBe(4);
    } finally {
      await stop();
    }
  });

  it('give two to long jobs, so that others go on', async () => {
    const lastingJobs = [0, 1, 2, 3, 4].map((index) => ({ name: `long${index}`, lasting: true }));
    await inTransaction(database.db, (trx) => addJobs(trx, 'call', lastingJobs));
    const { started, finish, stop, maxConcurrent } = await startHangingWorker();
    try {
      await until(() => started.length === 2);
      await note('inside');
      await add('d1');
      await until(() => started.includes('inside') && started.includes('d1'));
      expect(maxConcurrent()).toBe(3);
      finish('d1');
      for (let ended = 0; ended < 3; ended += 1) {
        const [oldest] = started.filter((name) => name.startsWith('long')).slice(ended);
        finish(oldest!);
        await until(() => started.length === 5 + ended);
      }
      expect(maxConcurrent()).toBe(3);
    } finally {
      await stop();
    }
  });

  it('have extra ones for feeds, one for each source', async () => {
    const readings = ['p', 'p', 'q', 'r', 's', 't'].map((receiver, index) => ({
      name: `${receiver}${index}`,
      receiver,
      lasting: true,
    }));
    await inTransaction(database.db, (trx) => addJobs(trx, 'call', readings));
    const { started, finish, stop, maxConcurrent } = await startHangingWorker();
    try {
      await until(() => started.length === 4);
      await inTransaction(database.db, (trx) => addJobs(trx, 'call', [{ name: 'file', lasting: true }]));
      await add('a1', 'b1', 'c1', 'd1');
      await until(() => started.length === 9);
      expect(systemsOf(started)).toEqual(['a', 'b', 'c', 'd', 'f', 'p', 'q', 'r', 's']);
      finish('p0');
      await until(() => started.length === 10);
      finish('a1', 'q2');
      await until(() => started.length === 11);
      expect(systemsOf(started.slice(9))).toEqual(['p', 't']);
      await note('inside');
      await until(() => started.includes('inside'));
      expect(maxConcurrent()).toBe(9);
    } finally {
      await stop();
    }
  });

  it('run jobs of an earlier version, without flags, at once', async () => {
    const { started, stop } = await startHangingWorker();
    try {
      for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await addOldJob(database.pool, 'call', { name });
      await until(() => started.length === 5);
    } finally {
      await stop();
    }
  });
});

/** The slots alone, with jobs that end when they are told to. */
function slotsAlone() {
  const slots = createSlots(5, () => {});
  const pickFor = async (system: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const forbidden = (await slots.forbiddenFlags()).toSorted();
    const done = slots.run({ receiver: system }, () => promise);
    const end = () => {
      resolve();
      return done;
    };
    return { forbidden, end };
  };
  /** A pick that finds no job. @returns what it left out, and whether to pick again. */
  const pickNothing = async () => [(await slots.forbiddenFlags()).toSorted(), slots.endPickWithoutJob()];
  /** Each accepts a call and does not answer until the call is given up. */
  const hang = async (...systems: string[]) => {
    const hung = [];
    for (const system of systems) hung.push(await pickFor(system));
    vi.advanceTimersByTime(10_000);
    for (const { end } of hung) await end();
  };
  return { pickFor, pickNothing, hang };
}

describe('a slow system', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('never has the last slot until it answers again', async () => {
    const { pickFor, pickNothing, hang } = slotsAlone();
    await hang('a', 'b', 'c', 'd');
    const again = await pickFor('a');
    await pickFor('b');
    await pickFor('c');
    const last = await pickFor('e');
    expect(last.forbidden).toEqual(['to a', 'to b', 'to c', 'to d']);
    await last.end();
    await again.end();
    // a has answered, so only b and c keep the site waiting, and d gets a slot after the others have had a turn.
    expect(await pickNothing()).toEqual([['to a', 'to b', 'to c', 'to d', 'to e'], true]);
    expect(await pickNothing()).toEqual([['to b', 'to c'], false]);
  });

  it('does not get the last slot while another may be slow too', async () => {
    const { pickFor, hang } = slotsAlone();
    await hang('a', 'b', 'c', 'd');
    for (const system of ['unknown', 'a', 'b']) await pickFor(system);
    expect((await pickFor('healthy')).forbidden).toEqual(['to a', 'to b', 'to c', 'to d', 'to unknown']);
  });

  it('is tried again only after each of the others', async () => {
    const { pickFor, pickNothing, hang } = slotsAlone();
    await hang('a', 'b', 'c', 'd');
    await pickNothing();
    const oldest = await pickFor('a');
    for (const system of ['b', 'c']) await pickFor(system);
    vi.advanceTimersByTime(10_000);
    // None of them may have the last slot, so a pick for other jobs starts no new round.
    expect(await pickNothing()).toEqual([['to a', 'to b', 'to c', 'to d'], false]);
    await oldest.end();
    expect((await pickFor('d')).forbidden).toEqual(['to a', 'to b', 'to c']);
  });

  it('has its next turn after each system that answers', async () => {
    const { pickFor, pickNothing } = slotsAlone();
    for (const hanging of ['a', 'b', 'c']) await pickFor(hanging);
    vi.advanceTimersByTime(10_000);
    const slow = await pickFor('d');
    vi.advanceTimersByTime(4900);
    await slow.end();
    const quick = await pickFor('e');
    expect(quick.forbidden).toEqual(['to a', 'to b', 'to c', 'to d']);
    await quick.end();
    expect(await pickNothing()).toEqual([['to a', 'to b', 'to c', 'to d', 'to e'], true]);
    // Nobody else is waiting, so a second pick lets the served systems in again.
    expect(await pickNothing()).toEqual([['to a', 'to b', 'to c'], false]);
  });
});

describe('a turn to pick', () => {
  it('is released after its timeout', async () => {
    const mutex = createMutexWithTimeout(10);
    await mutex.begin();
    await expect(mutex.begin()).resolves.toBeUndefined();
  });
});
