import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeApp } from '../../../test/app/make-app.ts';
import { deleteConnectionFailures } from '../../../test/app/stored.ts';
import { countMailsToOne, deleteMails } from '../../../test/mail/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import {
  type Connection,
  recordConnectionFailure,
  recordConnectionWorking,
} from '../../platform/connections/index.ts';
import { reportConnectionFailures } from './report-connection-failures.ts';

const site = await makeApp();
afterAll(site.close);
const { deps, clock } = site;
const operator = {
  open: async (path: string) => (await signedInBrowser(site, { role: 'operator' })).open(path),
};

const mesh = 'message-exchange';
const note = (connection: Connection, kind: 'refuses' | 'away') =>
  deps.db
    .transaction()
    .execute((trx) => recordConnectionFailure(trx, { connection, kind, reason: 'A reason.' }, clock.now()));
const works = (connection: Connection = mesh) =>
  deps.db.transaction().execute((trx) => recordConnectionWorking(trx, connection, clock.now()));
const minutes = (count: number) => clock.moveOn(count * 60_000);
/** How many emails each operator was sent. */
const mails = () => countMailsToOne(deps.db);
const metric = async (line: string) =>
  (await site.app.inject({ url: '/metrics' })).body.split('\n').find((each) => each.startsWith(line));

beforeEach(async () => {
  await deleteConnectionFailures(deps.db);
  await deleteMails(deps.db);
});

describe('a connection that does not work', () => {
  it('is on the operators’ page, in the metrics and in one email', async () => {
    expect((await operator.open('/operator')).text).not.toContain('does not accept this site');
    await signedInBrowser(site, { role: 'operator' });
    for (let minute = 0; minute < 3 * 24 * 60; minute += 500) {
      await note(mesh, 'refuses');
      await reportConnectionFailures(deps);
      minutes(500);
    }
    expect(await mails()).toBe(1);
    expect((await operator.open('/operator')).text).toContain(
      'The NHS message exchange does not accept this site',
    );
    const line = 'onward_connection_failure{connection="message-exchange",kind="refuses"}';
    expect(await metric(line)).toBe(`${line} 1`);
    await works();
    expect((await operator.open('/operator')).text).not.toContain('does not accept this site');
    expect(await metric(line)).toBe(`${line} 0`);
  });

  it('is in red on all operators’ pages if it is the mail server', async () => {
    const somebodyElse = await signedInBrowser(site, { role: 'referrer' });
    const page = async (browser: { open: typeof operator.open }, path: string) =>
      (await browser.open(path)).page.querySelector('.onward-failure-banner')?.text ?? '';
    await note('mail-server', 'away');
    minutes(59);
    expect(await page(operator, '/referrals')).toBe('');
    minutes(2);
    for (const path of ['/', '/referrals', '/operator', '/account'])
      expect(await page(operator, path), path).toContain('The mail server cannot be reached');
    await somebodyElse.signIn();
    expect(await page(somebodyElse, '/referrals')).toBe('');
  });

  it('is mailed once a day when it comes and goes', async () => {
    for (let hour = 0; hour < 47; hour += 1) {
      await note(mesh, 'refuses');
      await reportConnectionFailures(deps);
      await works();
      minutes(60);
    }
    expect(await mails()).toBe(2);
  });

  it('says “some files” for a day if a scanner comes and goes', async () => {
    for (let interruption = 0; interruption < 3; interruption += 1) {
      await works('virus-scanner');
      await note('virus-scanner', 'away');
      minutes(5);
    }
    expect((await operator.open('/operator')).text).toContain('does not look at some files');
    minutes(24 * 60);
    const { text } = await operator.open('/operator');
    expect(text).toContain('The virus scanner does not look at files');
    expect(text).not.toContain('some files');
  });

  it('is mailed after an hour’s silence, and again when it refuses', async () => {
    await note(mesh, 'away');
    await reportConnectionFailures(deps);
    minutes(59);
    await reportConnectionFailures(deps);
    expect(await mails()).toBe(0);
    minutes(1);
    await reportConnectionFailures(deps);
    expect((await operator.open('/operator')).text).toContain('cannot be reached');
    await note(mesh, 'refuses');
    await reportConnectionFailures(deps);
    expect(await mails()).toBe(2);
  });

  it('is not mailed when it is the mail server', async () => {
    await note('mail-server', 'refuses');
    await reportConnectionFailures(deps);
    expect(await mails()).toBe(0);
    expect(site.logLines.join()).toContain('a connection does not work');
    expect((await operator.open('/operator')).text).toContain('The mail server does not accept this site');
  });
});
