import { randomUUID } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anAccount } from '../../../../test/app/builders.ts';
import { putOffJobs, takeJobs } from '../../../../test/app/jobs.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { until } from '../../../../test/app/until.ts';
import { changeStoredEntry, storedEntries } from '../../../../test/audit/stored.ts';
import { whileTamperedWith } from '../../../../test/database/stored.ts';
import { tamper } from '../../../../test/database/test-database.ts';
import { storeFailedMail } from '../../../../test/mail/stored.ts';
import { fakeNotify } from '../../../../test/network/fake-notify.ts';
import { commandInput } from '../../../../test/process/command-input.ts';
import { commandLineActor, disableAccount } from '../../../accounts/index.ts';
import { siteActor } from '../../../audit/index.ts';
import { importServices } from '../../../exchange/index.ts';
import { recordConnectionFailure } from '../../../platform/connections/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { addJobs, startWorker } from '../../../platform/jobs/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { version } from '../../../platform/process/version.ts';
import { makeKeyFile } from '../../../platform/secrets/index.ts';
import { siteCheck } from './site-check.ts';

let site: TestApp;
let operator: { email: string };
beforeEach(async () => {
  site = await makeApp();
  await makeKeyFile(site.deps.settings.siteKeyFile);
  operator = await anAccount(site.deps, { role: 'operator' });
  // The database's clock, because the test's own clock stands still.
  site.clock.moveOn(Date.now() - site.clock.now().getTime());
});
afterEach(() => site.close());

async function check(deps: Platform = site.deps) {
  const input = commandInput();
  const { text, json, status } = await siteCheck.run({ platform: deps } as never, input);
  const { ok, checks } = json as { ok: boolean; checks: { name: string; ok: boolean; found: string }[] };
  const wrong = checks.filter((each) => !each.ok).map(({ name }) => name);
  return { text, ok, wrong, status, names: checks.map(({ name }) => name) };
}

describe('site check', () => {
  it('says ok in every line of a healthy site, with status 0', async () => {
    const { text, ok, wrong, status, names } = await check();
    expect({ ok, wrong, status }, text).toEqual({ ok: true, wrong: [], status: 0 });
    expect(names).toEqual([
      'database',
      'triggers',
      'site',
      'site key',
      'audit',
      'data directory',
      'settings',
      'clock',
      'jobs',
      'mail',
      'text messages',
      'connections',
      'files to scan',
      'message exchange',
      'sensitive services',
      'operators',
    ]);
    expect(text.split('\n').every((line) => line.startsWith('ok '))).toBe(true);
    // Again, now that the head of the chain is known.
    expect((await check()).text).toContain('with the last one that was noted outside the database');
  });

  it('counts the refuges whose place is still shown', async () => {
    const location = {
      id: 'lane',
      addresses: [{ address_1: '3 Hidden Lane', city: 'Sarrowby', state_province: '', country: 'GB' }],
    };
    const refuge = {
      ...{ id: randomUUID(), name: 'Hawthorn women’s refuge', status: 'active' },
      service_at_locations: [{ id: 'at the lane', location }],
    };
    const file = Readable.from([Buffer.from(`${JSON.stringify(refuge)}\n`)]);
    await importServices(site.deps, siteActor, file);
    const { text } = await check();
    expect(text).toContain('“Hawthorn women’s refuge”; 1 of them show their place to everybody');
    expect(text).toContain('mark its location as confidential');
  });

  it('names everything that is wrong, with what to do', async () => {
    const { db } = site.deps;
    await check();
    const [first] = await storedEntries(db, {});
    await tamper(site.database, (trx) => changeStoredEntry(trx, first!.id, { actor_name: 'somebody' }));
    await disableAccount(site.deps, commandLineActor, operator.email);
    await inTransaction(db, (trx) => addJobs(trx, 'deliver', [{}]));
    await putOffJobs(site.database.pool, -3600);
    await storeFailedMail(db, 'the server said no');
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

  it('names the system that jobs wait for, and blames no worker', async () => {
    const { db, log } = site.deps;
    const addOverdue = async (name: string, ...payloads: object[]) => {
      await inTransaction(db, (trx) => addJobs(trx, name, payloads));
      await putOffJobs(site.database.pool, -3600);
    };
    const lineOf = async () =>
      (await check()).text.split(/\n(?=ok|WRONG)/).find((line) => /^\S+ +jobs /.test(line));
    const since = '20\\d\\d-\\S+Z';
    const receiver = 'system.example.org';
    await addOverdue('speak', { receiver }, { receiver }, { receiver });
    expect(await lineOf()).toMatch(
      new RegExp(`^WRONG {2}jobs +3 are waiting, the oldest since ${since}\\n +Start the site\\.$`),
    );

    const hanging = Promise.withResolvers<void>();
    let spoken = 0;
    const speak = () => {
      spoken += 1;
      return hanging.promise;
    };
    const worker = await startWorker({ database: site.database, schedule: [], log, handlers: { speak } });
    try {
      await until(() => spoken === 1);
      const waits = `2 are waiting for ${receiver}, the oldest since ${since}`;
      expect(await lineOf()).toMatch(
        new RegExp(`^WRONG {2}jobs +${waits}\\n +Ask the people who run .*continue when the systems answer`),
      );
      await addOverdue('never-begun', {});
      const line = await lineOf();
      expect(line).toMatch(new RegExp(`jobs +${waits}; 1 are waiting, the oldest since ${since}\\n`));
      expect(line).toContain('search its log for “worker”');
      expect(line).not.toContain('Start the site');
    } finally {
      await takeJobs(site.database.pool);
      hanging.resolve();
      await worker.stop();
    }
  });

  it('finds a site key that others can read', async () => {
    await chmod(site.deps.settings.siteKeyFile, 0o444);
    const { wrong, text } = await check();
    expect(wrong).toEqual(['site key']);
    expect(text).toMatch(/^WRONG +site key +.*everybody on this machine can read it .*\n +.*chmod 600 /m);
  });

  it('calls a live site wrong that has no mail server', async () => {
    const live = { ...site.deps, settings: { ...site.deps.settings, mode: 'live' as const } };
    const { text } = await check(live);
    expect(text).toMatch(/^WRONG +mail +this live site has no mail server.*\n +Set ONWARD_SMTP_URL/m);
  });

  it('asks Notify if it takes texts; says why the last failed', async () => {
    const notify = await fakeNotify();
    const smtpUrl = 'smtps://mail.example.org';
    const live = (settings: object = {}): Platform => ({
      ...site.deps,
      settings: { ...site.deps.settings, mode: 'live', smtpUrl, ...notify.settings, ...settings },
    });
    try {
      expect((await check(live({ smsNotifyKeyFile: undefined }))).text).toContain('codes go by email alone');
      expect((await check(live())).text).toContain('GOV.UK Notify takes them, and none failed');
      expect((await check(live({ smsNotifyKeyFile: '/nowhere' }))).wrong).toContain('text messages');
      await storeFailedMail(site.deps.db, 'GOV.UK Notify cannot send to this number (400).', {
        isText: true,
      });
      const { text, wrong } = await check(live());
      expect(text).toContain('1 failed in the last 7 days; the last one because: GOV.UK Notify cannot send');
      expect([wrong.includes('text messages'), wrong.includes('mail')]).toEqual([true, false]);
      expect(notify.taken).toEqual([]);
    } finally {
      notify.close();
    }
  });

  it('says in one line what is wrong with the message exchange', async () => {
    const { db, clock } = site.deps;
    const failure = { connection: 'message-exchange', kind: 'refuses', reason: 'A wrong password.' } as const;
    await inTransaction(db, (trx) => recordConnectionFailure(trx, failure, clock.now()));
    const live = {
      ...site.deps,
      settings: { ...site.deps.settings, mode: 'live' as const, smtpUrl: 'smtps://mail.example.org' },
    };
    const { wrong, text } = await check(live);
    expect(wrong).toEqual(['message exchange']);
    expect(text.match(/A wrong password/g)).toHaveLength(1);
    expect(text).toContain('no problem with the mail server');
  });

  it('finds sample accounts of a live site', async () => {
    await anAccount(site.deps, { role: 'referrer', email: 'referrer@example.org' });
    const live = { ...site.deps, settings: { ...site.deps.settings, mode: 'live' as const } };
    const { wrong, text } = await check(live);
    expect(wrong).toContain('site');
    expect(text).toContain('sample accounts can sign in: referrer@example.org');
  });

  it('prints the version and nothing secret', async () => {
    const { text } = await check();
    expect(text).toContain(`by Onward ${version}`);
    const url = 'postgres://onward:s3cret-s3cret@127.0.0.1/onward';
    const settings = { ...site.deps.settings, databaseUrl: url, smtpUrl: url };
    expect((await check({ ...site.deps, settings })).text + text).not.toContain('s3cret');
  });

  it('finds a data directory that cannot be written to', async () => {
    const settings = { ...site.deps.settings, dataDir: '/nowhere/at/all' };
    const { wrong } = await check({ ...site.deps, settings });
    expect(wrong).toContain('data directory');
  });

  it('finds triggers, functions and rules that are not Onward’s', async () => {
    const { db } = site.deps;
    expect((await check()).wrong).not.toContain('triggers');
    await whileTamperedWith(db, async () => {
      const { wrong, text } = await check();
      expect(wrong).toContain('triggers');
      for (const said of [
        'function hide() is not Onward’s',
        'trigger hide on audit_entries is not Onward’s',
        'rule silence on audit_unsealed is not Onward’s',
        'trigger audit_links_append_only on audit_links was changed or switched off',
      ])
        expect(text).toContain(said);
    });
  });
});
