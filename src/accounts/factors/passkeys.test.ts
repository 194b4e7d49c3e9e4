import { describe, expect, it } from 'vitest';
import { countRows } from '../../../test/database/stored.ts';
import { subjectsTo } from '../../../test/network/mailbox.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { addPasskey, passkeySite, somebody, withPasskey } from '../../../test/people/second-factors.ts';
import type { Oddity } from '../../../test/people/soft-passkey.ts';
import { siteActor } from '../../audit/index.ts';
import { disableAccount, enableAccount } from '../people/set-access.ts';

const { site, ask, use } = await passkeySite();

const minute = 60_000;

describe('signing in with a passkey', () => {
  it('works with the passkey alone', async () => {
    const { email, browser } = await somebody(site);
    const { passkey, answer } = await addPasskey(site, browser);
    expect(answer.json()).toEqual({ go_to: '/account/recovery-codes?done=passkey' });
    expect((await browser.get('/account/recovery-codes?done=passkey')).body).toContain(
      'Your passkey was added. Next: make recovery codes',
    );
    expect(await subjectsTo(site, email)).toEqual(['A passkey was added to your account – Onward test site']);
    const options = await ask(plainBrowser(site.app), '/signin/passkey');
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', timeout: 5 * minute });
    // The answer does not tell whether there is an account.
    expect(options.allowCredentials).toBeUndefined();

    const fresh = plainBrowser(site.app);
    expect(await use(passkey, {}, fresh)).toBe(200);
    expect((await fresh.get('/account')).body).toContain('Last used on 21 November 2026');
    expect(fresh.cookies.get('onward-session')).not.toBe(browser.cookies.get('onward-session'));
  });

  it('accepts a passkey without a PIN as the second factor', async () => {
    const { email, passkey } = await withPasskey(site);
    const browser = plainBrowser(site.app);
    expect(await browser.signIn(email)).toBe('/signin/code');
    const options = await ask(browser, '/signin/code/passkey');
    expect(options.allowCredentials).toEqual([
      { id: passkey.id, transports: ['internal'], type: 'public-key' },
    ]);
    expect(await use(passkey, { userVerified: false }, browser, '/signin/code/passkey')).toBe(200);
    expect((await browser.get('/account')).statusCode).toBe(200);
    expect(browser.cookies.has('onward-sign-in-step')).toBe(false);
  });

  it('requires that the device checked the person, if it is alone', async () => {
    const { passkey } = await withPasskey(site);
    expect(await use(passkey, { userVerified: false })).toBe(422);
    expect(await use(passkey)).toBe(200);
  });

  it('takes an answer once, even when it comes many times at once', async () => {
    const { passkey } = await withPasskey(site);
    const options = await ask(plainBrowser(site.app), '/signin/passkey');
    const answer = { passkey: passkey.answer(options) };
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () => plainBrowser(site.app).postJson('/signin/passkey', answer)),
    );
    expect(statuses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    // A new signature over the old challenge is refused too.
    const replay = { passkey: passkey.answer(options) };
    expect((await plainBrowser(site.app).postJson('/signin/passkey', replay)).statusCode).toBe(422);
  });

  it('uses a challenge up even when it fails', async () => {
    const { passkey } = await withPasskey(site);
    const browser = plainBrowser(site.app);
    const options = await ask(browser, '/signin/passkey');
    const send = (odd: Oddity) =>
      browser.postJson('/signin/passkey', { passkey: passkey.answer(options, odd) });
    expect((await send({ userVerified: false })).statusCode).toBe(422);
    expect((await send({})).statusCode).toBe(422);
  });

  it('takes a challenge for five minutes, and only for its purpose', async () => {
    const { email, passkey, browser: signedIn } = await withPasskey(site);
    const browser = plainBrowser(site.app);
    const late = await ask(browser, '/signin/passkey');
    site.clock.moveOn(5 * minute);
    const send = (path: string, options: { challenge: string }) =>
      browser.postJson(path, { passkey: passkey.answer(options) }).then(({ statusCode }) => statusCode);
    expect(await send('/signin/passkey', late)).toBe(422);
    expect(await send('/signin/passkey', { challenge: 'A'.repeat(43) })).toBe(422);
    await browser.signIn(email);
    const alone = await ask(browser, '/signin/passkey');
    expect(await send('/signin/code/passkey', alone)).toBe(422);
    const second = await ask(browser, '/signin/code/passkey');
    expect(await send('/signin/passkey', second)).toBe(422);
    const adding = await ask(signedIn, '/account/passkeys');
    expect(await send('/signin/code/passkey', adding)).toBe(422);
  });

  it('refuses a count that did not grow, as of a copy', async () => {
    const { passkey } = await withPasskey(site);
    expect(await use(passkey, { count: 7 })).toBe(200);
    expect(await use(passkey, { count: 7 })).toBe(422);
    expect(await use(passkey, { count: 6 })).toBe(422);
    expect(await use(passkey, { count: 0 })).toBe(422);
    expect(await use(passkey, { count: 4_294_967_295 })).toBe(200);
  });

  it('accepts repeated sign-ins from a device without a counter', async () => {
    const { passkey } = await withPasskey(site);
    expect(await use(passkey, { count: 0 })).toBe(200);
    expect(await use(passkey, { count: 0 })).toBe(200);
  });

  it('refuses the passkey of an account while it is disabled', async () => {
    const { email, passkey } = await withPasskey(site);
    const browser = plainBrowser(site.app);
    await browser.signIn(email);
    await disableAccount(site.deps, siteActor, email);
    expect(await use(passkey)).toBe(422);
    expect((await browser.postJson('/signin/code/passkey/options')).statusCode).toBe(404);
    await enableAccount(site.deps, siteActor, email);
    expect(await use(passkey)).toBe(200);
  });

  it('refuses the second step with another person’s passkey', async () => {
    const [one, two] = [await withPasskey(site), await withPasskey(site)];
    const browser = plainBrowser(site.app);
    expect((await browser.postJson('/signin/code/passkey/options')).statusCode).toBe(404);
    await browser.signIn(one.email);
    expect(await use(two.passkey, {}, browser, '/signin/code/passkey')).toBe(422);
    expect(await use(one.passkey, {}, browser, '/signin/code/passkey')).toBe(200);
  });

  it('refuses anything that is not WebAuthn, without an error', async () => {
    const { browser, passkey: known } = await withPasskey(site);
    const good = known.answer(await ask(browser, '/signin/passkey'));
    const bad = [
      {},
      { passkey: null },
      { passkey: 'x' },
      { passkey: { ...good, id: '' } },
      { passkey: { ...good, type: 'password' } },
      { passkey: { ...good, rawId: 'AAAA' } },
      { passkey: { ...good, response: {} } },
      { passkey: { ...good, response: { ...good.response, clientDataJSON: 'bm90IGpzb24' } } },
      { passkey: { ...good, response: { ...good.response, clientDataJSON: 'bnVsbA' } } },
      { passkey: { ...good, response: { ...good.response, authenticatorData: 'AA' } } },
      { passkey: { ...good, response: { ...good.response, signature: 'AA' } } },
      { passkey: { ...good, response: { ...good.response, signature: '!' } } },
      { passkey: good, next: 7 },
    ];
    for (const payload of bad) {
      for (const path of ['/signin/passkey', '/account/passkeys']) {
        const { statusCode } = await browser.postJson(path, payload);
        expect([400, 422], `${path} ${JSON.stringify(payload)}`).toContain(statusCode);
      }
    }
  });

  it('takes no call from another site, nor from a form', async () => {
    for (const path of ['/signin/passkey', '/signin/passkey/options', '/account/passkeys/options']) {
      const elsewhere = { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' };
      const answer = await site.app.inject({ method: 'POST', url: path, headers: elsewhere, payload: {} });
      expect(answer.statusCode, path).toBe(403);
    }
  });

  it('leads only to pages of this site', async () => {
    const { passkey } = await withPasskey(site);
    const browser = plainBrowser(site.app);
    const options = await ask(browser, '/signin/passkey');
    const next = 'https://evil.example/';
    const answer = await browser.postJson('/signin/passkey', {
      passkey: passkey.answer(options),
      next,
    });
    expect(answer.json()).toEqual({ go_to: '/' });
  });

  it('deletes expired challenges', async () => {
    for (let asked = 0; asked < 5; asked += 1) await ask(plainBrowser(site.app), '/signin/passkey');
    site.clock.moveOn(5 * minute);
    await ask(plainBrowser(site.app), '/signin/passkey');
    expect(await countRows(site.deps.db, 'passkey_challenges')).toBe(1);
  });

  it.each<[string, Oddity]>([
    ['was signed for another site', { origin: 'https://evil.example' }],
    ['was signed for another port of this computer', { origin: 'http://localhost:8081' }],
    ['is of another domain', { rpId: 'evil.example' }],
    ['says it is somebody else’s', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('refuses a passkey that %s', async (_what, odd) => {
    const { passkey } = await withPasskey(site);
    expect(await use(passkey, odd)).toBe(422);
  });
});
