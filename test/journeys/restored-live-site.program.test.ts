import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral } from '../app/builders.ts';
import { until } from '../app/until.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { everythingRecorded } from '../delivery/restore-check.ts';
import { storedMails } from '../mail/stored.ts';
import { scriptedMailServer } from '../network/scripted-mail-server.ts';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { runCommand } from '../process/run-program.ts';
import { addJob } from '../rehearsal/add-job.ts';
import { channelPairs, weirHouse } from '../rehearsal/channel-pairs.ts';
import { rehearsalFixture } from '../rehearsal/fixture.ts';
import { type Person, password, patient, signedIn } from '../rehearsal/people.ts';
import { setChannels, setUpByCommands } from '../rehearsal/set-up.ts';

// A live site loses its database. Between the backup and the loss a person was reported as dead, and an account was disabled.

let fixture: Awaited<ReturnType<typeof rehearsalFixture>>;
let operator: Person;
let worker: Person;
let refusing: Awaited<ReturnType<typeof scriptedMailServer>>;

beforeAll(async () => {
  fixture = await rehearsalFixture();
  const account = (email: string, name: string, role: string, organisation: string) => ({
    email,
    name,
    role,
    organisation,
  });
  await setUpByCommands(fixture, [
    account('olive@example.org', 'Olive', 'operator', 'Council'),
    account('asha@example.org', 'Asha Patel', 'referrer', 'Infirmary Lane link workers'),
    account('gone@example.org', 'Gary Gone', 'referrer', 'Infirmary Lane link workers'),
    account('peter@example.org', 'Peter Weir', 'provider', weirHouse.name),
  ]);
  operator = await signedIn(fixture, 'olive@example.org');
  worker = await signedIn(fixture, 'asha@example.org');
  await setChannels(fixture, operator);
  refusing = await scriptedMailServer({ MAIL: '421 try later' });
});
afterAll(async () => {
  await refusing?.close();
  await fixture?.close();
});

const toGrace = () =>
  fixture.mail.received.filter(({ to }) => to.join().includes('grace@example.org')).length;
const statusesOfMails = (kind: string) =>
  inDatabaseOf(fixture.site, async ({ db }) =>
    (await storedMails(db)).filter((mail) => mail.kind === kind).map(({ status }) => status),
  );

describe('a live site that was restored from a backup', () => {
  it('gives no access and emails nobody until an operator checks', async () => {
    await fixture.restartWith({ ONWARD_SMTP_URL: `smtp://127.0.0.1:${refusing.port}` });
    const gone = await signedIn(fixture, 'gone@example.org');
    const { access, refresh } = await copyKeys(gone);
    const { id: service } = channelPairs.find((pair) => pair.service === 'inbox')!;
    const referral = aReferral(service, {
      patient: { ...patient, email: 'grace@example.org' },
      gp_practice: { ods_code: 'Z99001' },
      contact: { safe: 'yes', channel: 'email' },
      person_page: { send: true },
    });
    const made = await worker.api.post('/api/referrals', referral);
    expect(made.status).toBe(201);
    expect(await statusesOfMails('person')).toEqual(['queued']);
    const backup = join(fixture.folder, 'live.backup');
    expect(await runCommand(['backup', backup], fixture.site.env)).toMatchObject({ code: 0 });
    const died = await worker.api.post(`/api/referrals/${made.body.id}/died`, { told_by: 'her daughter' });
    expect(died.status).toBe(200);
    const disabled = await runCommand(
      ['account', 'disable', '--email', 'gone@example.org'],
      fixture.site.env,
    );
    expect(disabled).toMatchObject({ code: 0 });

    await fixture.site.stop();
    await fixture.site.loseDatabase();
    const restored = await runCommand(['restore', backup], fixture.site.env);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.stdout).toContain('Everybody has to sign in again');
    expect(restored.stdout).toContain('Refresh tokens do not work');
    await fixture.restartWith({ ONWARD_SMTP_URL: `smtps://localhost:${fixture.mail.port}` });

    const call = apiClient(fixture.url, access);
    expect((await call.get('/api/token/status')).status).toBe(401);
    expect((await call.post('/api/token/refresh', { refreshToken: refresh })).status).toBe(503);
    expect((await gone.visit('/referrals')).url).toContain('/signin');
    expect((await pageVisitor(fixture.url).visit(`/my/${'A'.repeat(43)}`)).status).toBe(503);
    await addJob(fixture.site, 'restore-mail-jobs');
    await addJob(fixture.site, 'tell-news');

    const back = pageVisitor(fixture.url);
    await back.signIn({ email: 'olive@example.org', password });
    const path = '/operator/check-first';
    const page = await back.visit(path);
    expect(page.text).toContain('1 from the backup: messages to people who were referred');
    expect(page.text).toContain('Gary Gone');
    expect((await back.submit(page, `${path}/confirm`, {})).status).toBe(422);
    expect([toGrace(), await statusesOfMails('person')]).toEqual([0, ['queued']]);

    // The death is recorded again, and the account disabled again.
    const asha = await signedIn(fixture, 'asha@example.org');
    const again = await asha.api.post(`/api/referrals/${made.body.id}/died`, { told_by: 'her daughter' });
    expect(again.status).toBe(200);
    await runCommand(['account', 'disable', '--email', 'gone@example.org'], fixture.site.env);
    const form = await back.visit(path);
    const fields: Record<string, string | string[]> = { recorded: everythingRecorded };
    for (const input of form.page.querySelectorAll('main form input[type=radio]')) {
      const name = input.getAttribute('name')!;
      if (/^(all|mails)-/.test(name)) fields[name] = 'send';
    }
    expect((await back.submit(form, `${path}/confirm`, fields)).text).toContain('There is nothing to check');
    await until(async () => (await statusesOfMails('person')).join() === 'dropped');
    expect(toGrace()).toBe(0);
    expect((await call.post('/api/token/refresh', { refreshToken: refresh })).status).toBe(401);
  });
});
