import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { type Database, inTransaction } from '../database/index.ts';
import { addJobs } from './add-jobs.ts';
import { bePresent } from './be-present.ts';
import { lookForTheDead } from './look-for-the-dead.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** A job that the worker of this name took two hours ago. */
async function aJobTakenBy(worker: string): Promise<string> {
  const name = `job-${randomUUID()}`;
  await inTransaction(database.db, (trx) => addJobs(trx, name, [{}]));
  await sql`
    update graphile_worker._private_jobs as jobs set locked_by = ${worker}, locked_at = now() - interval '2 hours'
    from graphile_worker._private_tasks as tasks
    where tasks.id = jobs.task_id and tasks.identifier = ${name}`.execute(database.db);
  return name;
}

async function holderOf(job: string): Promise<string | null> {
  const { rows } = await sql<{ locked_by: string | null }>`
    select locked_by from graphile_worker.jobs where task_identifier = ${job}`.execute(database.db);
  return rows[0]!.locked_by;
}

test('the jobs of a worker that is gone at two looks are freed, at the first look none', async () => {
  const job = await aJobTakenBy('pool-dead');
  const look = lookForTheDead(database.db, 'pool-own');
  await look();
  expect(await holderOf(job)).toBe('pool-dead');
  await look();
  expect(await holderOf(job)).toBeNull();
});

test('the jobs of a live worker stay its own, however long they take', async () => {
  const job = await aJobTakenBy('pool-alive');
  const presence = await bePresent(database.connection, 'pool-alive');
  const look = lookForTheDead(database.db, 'pool-own');
  for (const _ of [1, 2, 3]) await look();
  expect(await holderOf(job)).toBe('pool-alive');
  await presence.end();
});

test('a worker whose connection was broken for a moment, at one look, keeps its jobs', async () => {
  const job = await aJobTakenBy('pool-shaken');
  const look = lookForTheDead(database.db, 'pool-own');
  await look();
  const presence = await bePresent(database.connection, 'pool-shaken');
  await look();
  await presence.end();
  await look();
  expect(await holderOf(job)).toBe('pool-shaken');
});

test('nobody frees the jobs of its own, even without its lock', async () => {
  const job = await aJobTakenBy('pool-own');
  const look = lookForTheDead(database.db, 'pool-own');
  for (const _ of [1, 2, 3]) await look();
  expect(await holderOf(job)).toBe('pool-own');
});
