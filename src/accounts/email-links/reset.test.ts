import { parse } from 'node-html-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeAuthenticator } from '../../../test/accounts/stored.ts';
import { anAccount, aTokenHolder } from '../../../test/app/builders.ts';
import { readPayloads } from '../../../test/app/jobs.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { linkIn, mailsTo } from '../../../test/network/mailbox.ts';
import { pageVisitor, type Visit } from '../../../test/people/page-visitor.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { updateEmail } from '../model/accounts-store.ts';
import { inviteAccount } from '../people/invite-account.ts';
import { disableAccount } from '../people/set-access.ts';
import { beginAttempt } from '../throttle/throttle.ts';
import { deleteExpiredEmailLinks } from './links-store.ts';

let site: TestApp;
let baseUrl: string;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_TRUSTED_PROXIES: '127.0.0.1' } });
  baseUrl = await site.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => site.close());
// Each test has its own day, so that its requests do not slow down the next test.
beforeEach(() => site.clock.moveOn(2 * 24 * hour));

const minute = 60_000;
const hour = 60 * minute;
const password = 'walnut bicycle teapot';
const visitor = () => pageVisitor(baseUrl, site.deps.settings.baseUrl);

async function asked(email: string, who = visitor()): Promise<Visit> {
  return who.submit(await who.visit('/reset-password'), '/reset-password', { email });
}

/** Asks for a new password. @returns the link in the email. */
async function linkFor(email: string): Promise<string> {
  await asked(email);
  return linkIn((await mailsTo(site, email))[0]);
}

async function choose(link: string, chosen = password, who = visitor()): Promise<Visit> {
  return who.submit(await who.visit(link), link, { password: chosen });
}

const post = (url: string, fields: Record<string, string>, address = '192.0.2.1') =>
  site.app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: site.deps.settings.baseUrl,
      'x-forwarded-for': address,
    },
  });

const ended = 'This link no longer works';

describe('the link to a new password', () => {
  it('works once within an hour, and until a newer one', async () => {
    const { email } = await anAccount(site.deps);
    const first = await linkFor(email);
    const second = await linkFor(email);
    expect((await visitor().visit(first)).text).toContain(ended);
    site.clock.moveOn(hour - 1);
    expect((await choose(second)).url).toBe('/reset-password/done');
    const again = await visitor().visit(second);
    expect([again.status, again.text.includes(ended)]).toEqual([404, true]);
    const third = await linkFor(email);
    site.clock.moveOn(hour);
    expect((await visitor().visit(third)).text).toContain(ended);
    expect((await post(third, { password })).statusCode).toBe(404);
    await deleteExpiredEmailLinks(site.deps.db, site.clock.now());
    expect(await textOfTable(site.deps.db, 'account_links')).not.toContain('reset');
  });

  it('sets one password when twenty use it at the same time', async () => {
    const { email } = await anAccount(site.deps);
    const link = await linkFor(email);
    const words = ['walnut', 'teapot', 'harbour', 'violet', 'ladder', 'pigeon'];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        post(link, { password: `${words[at % 6]} bicycle number ${at}` }),
      ),
    );
    const done = answers.filter(({ headers }) => headers.location === '/reset-password/done');
    expect(done).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(19);
  });

  it('cannot be used as an invitation', async () => {
    const { email } = await anAccount(site.deps);
    const reset = await linkFor(email);
    expect((await visitor().visit(reset.replace('/reset-password/', '/invitation/'))).status).toBe(404);
    expect((await post(reset.replace('/reset-password/', '/invitation/'), { password })).statusCode).toBe(
      404,
    );
    expect((await choose(reset)).url).toBe('/reset-password/done');
  });

  it('ends when the account is disabled or its address changes', async () => {
    const off = await anAccount(site.deps);
    const link = await linkFor(off.email);
    await disableAccount(site.deps, siteActor, off.email);
    expect((await visitor().visit(link)).text).toContain(ended);
    const moved = await anAccount(site.deps);
    const old = await linkFor(moved.email);
    const newAddress = `${newId()}@example.org`;
    await inTransaction(site.deps.db, (trx) => updateEmail(trx, moved.id, newAddress, site.clock.now()));
    expect((await visitor().visit(old)).text).toContain(ended);
  });

  it('leaves the second factor, which allows a shorter password', async () => {
    const { id, email } = await anAccount(site.deps);
    await storeAuthenticator(site.deps.db, id, site.clock.now());
    const link = await linkFor(email);
    expect((await visitor().visit(link)).text).toContain('8 characters or more');
    expect((await choose(link, 'short')).status).toBe(422);
    expect((await choose(link, 'tea7pot!')).url).toBe('/reset-password/done');
    const who = await visitor().signIn({ email, password: 'tea7pot!' });
    expect(who.url).toMatch(/^\/signin\/code/);
    expect(who.html).not.toContain('Sign out');
  });
});

describe('a forgotten password', () => {
  it('is replaced by a link, and the old one opens nothing', async () => {
    const holder = await aTokenHolder(site.deps);
    const before = visitor();
    await before.signIn(holder);
    const status = () => site.app.inject({ url: '/api/token/status', headers: holder.headers });
    expect((await status()).statusCode).toBe(200);

    const sent = await asked(` ${holder.email.toUpperCase()} `);
    expect(sent.url).toBe('/reset-password/sent');
    const link = linkIn((await mailsTo(site, holder.email))[0]);
    expect((await before.visit('/apikeys')).url).toBe('/apikeys');
    const done = await choose(link);
    expect(done.url).toBe('/reset-password/done');
    expect(done.html).toContain('href="/signin"');

    expect((await before.visit('/apikeys')).url).toMatch(/^\/signin/);
    await expect.poll(async () => (await status()).statusCode).toBe(401);
    expect((await visitor().signIn(holder)).status).toBe(422);
    expect((await visitor().signIn({ ...holder, password })).url).toBe('/');
    const [notice] = await mailsTo(site, holder.email);
    expect(notice?.subject).toContain('Your password was changed');
    const entries = await storedEntries(site.deps.db, { subjectId: holder.id });
    const ofPassword = entries.filter(({ action }) => action.startsWith('account.password'));
    expect(ofPassword).toMatchObject([
      { action: 'account.password_reset_requested', outcome: 'done', address: '127.0.0.1' },
      { action: 'account.password_reset', outcome: 'done', address: '127.0.0.1' },
    ]);
  });

  it('gets the same answer whether there is an account or not', async () => {
    const known = (await anAccount(site.deps)).email;
    const off = (await anAccount(site.deps)).email;
    await disableAccount(site.deps, siteActor, off);
    const invited = `${newId()}@example.org`;
    await inviteAccount(site.deps, siteActor, {
      email: invited,
      name: 'I',
      roles: ['referrer'],
      hasApiAccess: false,
    });
    await mailsTo(site, invited);
    const nobody = `${newId()}@example.org`;
    const answers = [];
    for (const email of [known, off, invited, nobody]) {
      const { statusCode, headers, body } = await post('/reset-password', { email });
      const { date: _, 'x-request-id': __, ...rest } = headers;
      answers.push({ statusCode, headers: rest, body });
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    // So far the site has done the same for each of them.
    const payloads = await readPayloads(site.deps.pool, { name: 'start-password-reset' });
    expect(payloads).toHaveLength(4);
    expect(new Set(payloads.map((payload) => JSON.stringify(payload).length)).size).toBe(1);

    expect(await mailsTo(site, known)).toHaveLength(1);
    expect(await mailsTo(site, off)).toEqual([]);
    expect(await mailsTo(site, nobody)).toEqual([]);
    const [hint] = await mailsTo(site, invited);
    expect(hint?.subject).toContain('has no password');
    expect(hint?.text).not.toContain('/reset-password/');
  });

  it('is slowed down the same with and without an account', async () => {
    for (const email of [(await anAccount(site.deps)).email, `${newId()}@example.org`]) {
      for (let asking = 0; asking < 3; asking += 1)
        expect((await post('/reset-password', { email })).statusCode).toBe(303);
      const { statusCode, headers, body } = await post('/reset-password', { email });
      expect(statusCode).toBe(429);
      expect(headers['retry-after']).toBe('1');
      const main = parse(body).querySelector('main')!;
      expect(main.querySelector('h1')!.text).toBe('There were too many attempts');
      expect(main.querySelector('h1 + p')!.text).toBe('Try again in 1 second.');
      expect((await post('/reset-password', { email }, '192.0.2.2')).statusCode).toBe(303);
    }
  });

  it('lets the holder in while others guess from everywhere', async () => {
    const { email } = await anAccount(site.deps);
    const tried = (ipAddress: string) =>
      beginAttempt(site.deps, { kind: 'sign-in', identifier: email, ipAddress });
    for (let guesser = 1; guesser <= 50; guesser += 1) await tried(`198.51.100.${guesser}`);
    await expect(tried('203.0.113.9')).rejects.toThrow();
    const link = await linkFor(email);
    await post(link, { password }, '203.0.113.9');
    const { statusCode, headers } = await post('/signin', { email, password }, '203.0.113.9');
    expect([statusCode, headers.location]).toEqual([303, '/']);
  });

  it('asks again for an address that cannot be one', async () => {
    for (const email of ['', 'asha', 'a'.repeat(1000)])
      expect((await post('/reset-password', { email })).statusCode, email).toBe(422);
    for (const email of ['a\0@example.org', `${'a'.repeat(1001)}@x.org`])
      expect((await post('/reset-password', { email })).statusCode, email).toBe(400);
    expect((await post('/reset-password', {})).statusCode).toBe(400);
    expect((await post(`/reset-password/${'a'.repeat(43)}`, {})).statusCode).toBe(400);
  });

  it('says so where a live site has no mail server', async () => {
    const lonely = await makeApp({
      env: {
        ...liveEnv,
        ONWARD_OPERATOR_CONTACT: 'Asha Patel, 01632 960001',
      },
    });
    try {
      const { body } = await lonely.app.inject('/reset-password');
      expect(body).toContain('Asha Patel, 01632 960001');
      expect(body).not.toContain('name="email"');
    } finally {
      await lonely.close();
    }
  });
});
