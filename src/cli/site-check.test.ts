import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anAccount } from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';
import { until } from '../../test/until.ts';
import { commandLine, setDisabled } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { addJobs, startWorker } from '../platform/jobs/index.ts';
import type { Platform } from '../platform/platform.ts';
import { createSecrets } from '../platform/secrets/index.ts';
import { siteCheck } from './commands/site-check.ts';

let site: TestApp;
let operator: { email: string };
beforeEach(async () => {
  site = await makeApp();
  operator = await anAccount(site.deps, { role: 'operator' });
  // The test's clock stands still somewhere; the site's shows the time.
  site.clock.moveOn(Date.now() - site.clock.now().getTime());
});
afterEach(() => site.close());

async function check(deps: Platform = site.deps) {
  const input = { values: {}, positionals: [], progress: () => undefined };
  const { text, json, status } = await siteCheck.run({ platform: deps } as never, input);
  const { ok, checks } = json as { ok: boolean; checks: { name: string; ok: boolean; found: string }[] };
  const wrong = checks.filter((each) => !each.ok).map(({ name }) => name);
  return { text, ok, wrong, status, names: checks.map(({ name }) => name) };
}

test('a healthy site is ok in every line, with status 0', async () => {
  const { text, ok, wrong, status, names } = await check();
  expect({ ok, wrong, status }, text).toEqual({ ok: true, wrong: [], status: 0 });
  expect(names).toEqual([
    'database',
    'site key',
    'audit',
    'data directory',
    'settings',
    'clock',
    'jobs',
    'mail',
    'message exchange',
    'operators',
  ]);
  expect(text.split('\n').every((line) => line.startsWith('ok '))).toBe(true);
  // Again, now that the head of the chain is known.
  expect((await check()).text).toContain('is in it');
});

test('each thing that is wrong is named, with what to do, and the rest is checked all the same', async () => {
  const { db } = site.deps;
  await check();
  await inTransaction(db, async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`update audit_entries set actor_name = 'somebody' where id = (select min(id) from audit_entries)`.execute(
      trx,
    );
  });
  await setDisabled(site.deps, commandLine, operator.email, true);
  await sql`select graphile_worker.add_job('deliver', run_at => now() - interval '1 hour')`.execute(db);
  await sql`
    insert into mails (id, status, recipient_hash, reason, created_at, finished_at)
    values (gen_random_uuid(), 'failed', '\\x00', 'the server said no', now(), now())`.execute(db);
  const { text, ok, wrong, status } = await check();
  expect({ ok, status, wrong }, text).toEqual({
    ok: false,
    status: 1,
    wrong: ['audit', 'jobs', 'mail', 'operators'],
  });
  expect(text).toMatch(/^WRONG {2}audit +Position 1 .* was changed/m);
  expect(text).toContain('the server said no');
  site.clock.moveOn(60_000);
  expect((await check()).wrong).toContain('clock');
});

test('jobs that wait for a system which says nothing are told by its name, and are no reason to start the site', async () => {
  const { db, log } = site.deps;
  const addOverdue = (name: string, ...payloads: object[]) =>
    inTransaction(db, async (trx) => {
      await addJobs(trx, name, payloads);
      await sql`update graphile_worker._private_jobs set run_at = now() - interval '1 hour'`.execute(trx);
    });
  const lineOf = async () =>
    (await check()).text.split(/\n(?=ok|WRONG)/).find((line) => /^\S+ +jobs /.test(line));
  const since = '20\\d\\d-\\S+Z or later';
  const receiver = 'system.example.org';
  await addOverdue('speak', { receiver }, { receiver }, { receiver });
  expect(await lineOf()).toMatch(new RegExp(`^WRONG {2}jobs +3 wait since ${since}\\n +Start the site\\.$`));

  const hanging = Promise.withResolvers<void>();
  let spoken = 0;
  const speak = () => {
    spoken += 1;
    return hanging.promise;
  };
  const worker = await startWorker({ database: site.database, schedule: [], log, handlers: { speak } });
  try {
    await until(() => spoken === 1);
    const waits = `2 wait for ${receiver} since ${since}`;
    expect(await lineOf()).toMatch(
      new RegExp(`^WRONG {2}jobs +${waits}\\n +Ask those who run .*goes out by itself`),
    );
    await addOverdue('never-begun', {});
    const line = await lineOf();
    expect(line).toMatch(new RegExp(`jobs +${waits}; 1 wait since ${since}\\n`));
    expect(line).toContain('look into its log for “worker”');
    expect(line).not.toContain('Start the site');
  } finally {
    await sql`delete from graphile_worker._private_jobs where locked_at is null`.execute(db);
    hanging.resolve();
    await worker.stop();
  }
});

test('another site key is noticed, and nothing secret is printed', async () => {
  await check();
  const { wrong, text } = await check({ ...site.deps, secrets: createSecrets(randomBytes(32)) });
  expect(wrong).toEqual(['site key', 'audit']);
  const url = 'postgres://onward:s3cret-s3cret@127.0.0.1/onward';
  const settings = { ...site.deps.settings, databaseUrl: url, smtpUrl: url };
  expect((await check({ ...site.deps, settings })).text + text).not.toContain('s3cret');
});

test('a data directory that cannot be written to is noticed', async () => {
  const settings = { ...site.deps.settings, dataDir: '/nowhere/at/all' };
  const { wrong } = await check({ ...site.deps, settings });
  expect(wrong).toContain('data directory');
});
