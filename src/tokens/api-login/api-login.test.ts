import { afterAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import {
  formsOf,
  login,
  makeApiLoginSite,
  returnUrl,
  signInFor,
  tokenIn,
} from '../../../test/people/api-login.ts';
import { honestReturnUrls } from '../../../test/people/forged-return-addresses.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { setApiAccess } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { registerReturnAddress } from './return-addresses.ts';
import { insertReturnAddress } from './return-addresses-store.ts';

const site = await makeApiLoginSite();
const { open, countTokens } = site;
afterAll(() => site.close());

const minute = 60_000;
const ofPage = { accept: 'text/html,application/xhtml+xml;q=0.9' };

async function holderOf(token: string) {
  const answer = await site.app.inject({
    url: '/api/token/status',
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.json();
}

describe('somebody who is signed in', () => {
  it('is asked, with name, email address and destination', async () => {
    const { email } = await anAccount(site.deps, { name: 'Alice Amber' });
    const browser = open();
    await browser.signIn(email);
    for (const accept of [ofPage, {}]) {
      const asked = await browser.get(login(returnUrl), accept);
      expect([asked.statusCode, tokenIn(asked)]).toEqual([200, undefined]);
      for (const words of ['Continue as Alice Amber?', email, 'client.example'])
        expect(asked.body).toContain(words);
      const [goOn] = formsOf(asked);
      expect(goOn!.atOnce).toBe(false);
      const gone = await browser.post('/apilogin', goOn!.fields);
      expect((await holderOf(tokenIn(gone)!)).account.email).toBe(email);
    }
    expect((await browser.get('/signin')).headers['content-security-policy']).not.toContain('client.example');
  });

  it('is asked whatever another website sends', async () => {
    const { email } = await anAccount(site.deps);
    const browser = open();
    const back = await signInFor(browser, login(returnUrl), email);
    const started = /started=([\w-]+)/.exec(back)![1]!;
    const sealed = browser.cookies.get('onward-api-login')!;
    const skips = async (url: string, cookie: string | undefined) => {
      if (cookie === undefined) browser.cookies.delete('onward-api-login');
      else browser.cookies.set('onward-api-login', cookie);
      return tokenIn(await browser.get(url)) !== undefined;
    };
    const strangers = new URL(
      String((await open().get(login(returnUrl))).headers.location),
      'http://localhost',
    ).searchParams.get('next')!;

    expect(await skips(back, undefined), 'without the cookie').toBe(false);
    expect(await skips(login(returnUrl), sealed), 'without the way back').toBe(false);
    expect(await skips(strangers, sealed), 'with the way back of another browser').toBe(false);
    expect(
      await skips(login(honestReturnUrls[7], `&started=${started}`), sealed),
      'for another address',
    ).toBe(false);
    expect(await skips(`${back}&response_mode=form_post`, sealed), 'in another mode').toBe(false);
    expect(await skips(`${back}&started=${started}`, sealed), 'twice').toBe(false);
    expect(await skips(login(returnUrl, '&started=x'), 'x'), 'made up').toBe(false);
    expect(await skips(login(returnUrl, '&started='), ''), 'empty').toBe(false);
    site.clock.moveOn(15 * minute + 1);
    expect(await skips(back, sealed), 'too late').toBe(false);
    site.clock.moveOn(-15 * minute - 1);
    expect(await skips(back, sealed), 'the honest way').toBe(true);
    expect(browser.cookies.has('onward-api-login')).toBe(false);
    expect(await skips(back, undefined), 'a second time').toBe(false);
  });

  it('goes on only if the page named them', async () => {
    const [alice, bob] = [await anAccount(site.deps), await anAccount(site.deps)];
    const browser = open();
    await browser.signIn(alice.email);
    const [goOn] = formsOf(await browser.get(login(returnUrl)));
    await browser.signIn(bob.email);
    const before = await countTokens();
    const asked = await browser.post('/apilogin', goOn!.fields);
    expect([asked.statusCode, asked.headers.location]).toEqual([303, login(returnUrl)]);
    browser.cookies.clear();
    const nobody = await browser.post('/apilogin', goOn!.fields);
    expect([nobody.statusCode, nobody.headers.location]).toEqual([303, login(returnUrl)]);
    expect(await countTokens()).toBe(before);
  });
});

describe('signing in for a client', () => {
  it('returns to the exact address with a token for 180 minutes', async () => {
    const alice = await anAccount(site.deps);
    const browser = open();
    const back = await signInFor(browser, login(returnUrl), alice.email);
    expect(back).toMatch(/^\/apilogin\?returnUrl=/);
    const answer = await browser.get(back);
    expect(answer.statusCode).toBe(303);
    const token = tokenIn(answer)!;
    expect(answer.headers.location).toBe(`${returnUrl}&token=${token}`);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cache-control']).toBe('no-store');
    const { account, token: known } = await holderOf(token);
    expect(account.email).toBe(alice.email);
    expect(known.source).toBe('apilogin');
    expect(Date.parse(known.valid_to) - Date.parse(known.issued_at)).toBe(180 * minute);
    await setApiAccess(site.deps, siteActor, alice.email, { isAllowed: false });
    await expect.poll(async () => (await holderOf(token)).status).toBe(401);
  });

  it('gives a browser a page that goes on by itself', async () => {
    const { email } = await anAccount(site.deps);
    const browser = open();
    const answer = await browser.get(await signInFor(browser, login(returnUrl), email), ofPage);
    expect([answer.statusCode, tokenIn(answer)]).toEqual([200, undefined]);
    expect(answer.headers['content-security-policy']).toContain(`form-action 'self' https://client.example;`);
    const [goOn] = formsOf(answer);
    expect(goOn).toMatchObject({ action: '/apilogin', atOnce: true });
    const gone = await browser.post('/apilogin', goOn!.fields);
    expect([gone.statusCode, gone.headers['referrer-policy']]).toEqual([303, 'no-referrer']);
    expect(gone.headers.location).toBe(`${returnUrl}&token=${tokenIn(gone)}`);
  });

  it('asks somebody who had signed in before they were sent away', async () => {
    const { email } = await anAccount(site.deps);
    const browser = open();
    const sentAway = await browser.get(login(returnUrl));
    const next = new URL(String(sentAway.headers.location), 'http://localhost').searchParams.get('next')!;
    const sealed = browser.cookies.get('onward-api-login')!;
    site.clock.moveOn(-1);
    await browser.signIn(email);
    site.clock.moveOn(1);
    browser.cookies.set('onward-api-login', sealed);
    expect(tokenIn(await browser.get(next))).toBeUndefined();
  });

  it('ends this session when somebody else signs in', async () => {
    const [alice, bob] = [await anAccount(site.deps), await anAccount(site.deps)];
    const browser = open();
    await browser.signIn(alice.email);
    const session = new Map(browser.cookies);
    const [, other] = formsOf(await browser.get(login(returnUrl)));
    const answer = await browser.post('/apilogin/other-account', other!.fields);
    expect(answer.statusCode).toBe(303);
    const back = await signInFor(browser, String(answer.headers.location), bob.email);
    const gone = await browser.get(back);
    expect((await holderOf(tokenIn(gone)!)).account.email).toBe(bob.email);
    const replay = open();
    for (const [name, value] of session) replay.cookies.set(name, value);
    expect((await replay.get('/apikeys')).headers.location).toContain('/signin');
  });

  it('gives no token without API access, and says whom to ask', async () => {
    const { email } = await anAccount(site.deps, { hasApiAccess: false });
    const browser = open();
    const before = await countTokens();
    const refused = await browser.get(await signInFor(browser, login(returnUrl), email));
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain('API access is not enabled');
    expect(refused.body).toContain('Olive Operator');
    const notAsked = await browser.get(login(returnUrl), ofPage);
    expect(notAsked.statusCode).toBe(403);
    expect(formsOf(notAsked).map(({ action }) => action)).toEqual(['/apilogin/other-account']);
    await setApiAccess(site.deps, siteActor, email, { isAllowed: true });
    const [goOn] = formsOf(await browser.get(login(returnUrl)));
    await setApiAccess(site.deps, siteActor, email, { isAllowed: false });
    expect((await browser.post('/apilogin', goOn!.fields)).statusCode).toBe(403);
    expect(await countTokens()).toBe(before);
  });

  it('posts the token in a form to that one origin', async () => {
    const { email } = await anAccount(site.deps);
    const browser = open();
    const fresh = await browser.get(
      await signInFor(browser, login(returnUrl, '&response_mode=form_post'), email),
      ofPage,
    );
    const [goOn] = formsOf(await browser.get(login(returnUrl, '&response_mode=form_post')));
    const asked = await browser.post('/apilogin', goOn!.fields);
    for (const answer of [fresh, asked]) {
      expect(answer.statusCode).toBe(200);
      expect(formsOf(answer)).toEqual([
        { action: returnUrl, atOnce: true, fields: { token: tokenIn(answer)! } },
      ]);
      expect(answer.headers['content-security-policy']).toContain(
        `form-action 'self' https://client.example;`,
      );
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect((await holderOf(tokenIn(answer)!)).account.email).toBe(email);
    }
  });

  it('audits who got a token for which client, and logs no token', async () => {
    const { id, email } = await anAccount(site.deps);
    const browser = open();
    const token = tokenIn(await browser.get(await signInFor(browser, login(returnUrl), email)))!;
    expect(await storedEntries(site.deps.db, { action: 'token.issued', actorId: id })).toMatchObject([
      { details: { source: 'apilogin', return_origin: 'https://client.example' }, address: '127.0.0.1' },
    ]);
    const lines = site.logLines.join('');
    expect(lines).toContain('"route":"/apilogin"');
    for (const secret of [token, 'client.example', 'state=7']) expect(lines).not.toContain(secret);
  });

  it('allows no program on the user’s computer at a live site', async () => {
    const live = await makeApp({ env: liveEnv });
    try {
      await registerReturnAddress(live.deps, siteActor, 'https://client.example/signed-in');
      const address = { address: 'http://localhost/cb', addedAt: new Date(), addedBy: 'a copied test site' };
      await inTransaction(live.deps.db, (trx) => insertReturnAddress(trx, address));
      const answer = await live.app.inject(login(returnUrl));
      expect(String(answer.headers['set-cookie'])).toMatch(
        /^__Host-onward-api-login=[\w-]+; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect((await live.app.inject(login('http://localhost:3000/cb'))).statusCode).toBe(400);
      await expect(registerReturnAddress(live.deps, siteActor, 'http://localhost/cb')).rejects.toMatchObject({
        errors: [{ pointer: '/address', message: 'may be on this computer only at a test site' }],
      });
    } finally {
      await live.close();
    }
  });
});
