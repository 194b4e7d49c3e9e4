import { afterAll, describe, expect, it } from 'vitest';
import { storedEntries } from '../../../test/audit/stored.ts';
import {
  callback,
  declined,
  done,
  makeOidcSite,
  notAsItShould,
  unfinished,
} from '../../../test/people/oidc-site.ts';

const { site, provider, start, comeBack, close } = await makeOidcSite();
afterAll(close);

async function refusals(reason: string): Promise<number> {
  const refused = await storedEntries(site.deps.db, { outcome: 'refused' });
  return refused.filter(({ details }) => details.reason === reason).length;
}

describe('the callback from the provider', () => {
  it('is guarded by state, nonce, PKCE and a cookie', async () => {
    const { address } = await start();
    const { origin, pathname, searchParams } = new URL(address);
    expect([origin, pathname]).toEqual([provider.issuer, '/auth']);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'onward-test',
      redirect_uri: callback,
      scope: 'openid',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      max_age: '43200',
    });
    const { cookies } = await site.app.inject('/signin/oidc');
    expect(cookies).toEqual([
      expect.objectContaining({
        name: 'onward-oidc',
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
        maxAge: 600,
      }),
    ]);
  });

  it('works once', async () => {
    const { address, cookie } = await start();
    const back = await provider.signInAt(address);
    expect(await comeBack(back, cookie)).toEqual(done);
    expect(await comeBack(back, cookie)).toEqual(unfinished);
  });

  it('lets in one of many with the same address', async () => {
    const { address, cookie } = await start();
    const back = await provider.signInAt(address);
    const answers = await Promise.all(Array.from({ length: 8 }, () => comeBack(back, cookie)));
    expect(answers.filter(({ signedIn }) => signedIn).length).toBe(1);
  });

  it('is only for the browser that started the flow', async () => {
    const mine = await start();
    const theirs = await start();
    const back = await provider.signInAt(mine.address);
    expect(await comeBack(back, theirs.cookie)).toEqual(unfinished);
    // A flow that another browser has seen cannot be tried again.
    expect(await comeBack(back, mine.cookie)).toEqual(unfinished);
    site.clock.moveOn(60_000);
    expect(await comeBack(await provider.signInAt((await start()).address), '')).toEqual(unfinished);
    expect(await refusals('sign-in-not-finished')).toBe(2);
  });

  it('is audited once a minute for strangers without a flow', async () => {
    site.clock.moveOn(60_000);
    for (let times = 0; times < 5; times += 1) {
      const { address, cookie } = await start();
      const state = new URL(address).searchParams.get('state')!;
      const back = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
      expect(await comeBack(`${callback}?${back}`, cookie)).toEqual(declined);
    }
    expect(await refusals('provider-declined')).toBe(1);
  });

  describe('the cookie of a flow', () => {
    const secretsOf = (cookie: string) => cookie.replace(/^onward-oidc=/, '').split('.');

    /** Comes back. @returns the cookie that the browser has afterwards; undefined if it is cleared. */
    async function cookieAfter(back: string, cookie: string): Promise<string | undefined> {
      const { pathname, search } = new URL(back);
      const answer = await site.app.inject({ url: pathname + search, headers: { cookie } });
      const set = answer.cookies.find(({ name }) => name === 'onward-oidc');
      if (set === undefined) return cookie;
      return set.value === '' ? undefined : `onward-oidc=${set.value}`;
    }

    it('has a new secret each time, never a planted one', async () => {
      const planted = await start();
      const mine = await start(planted.cookie);
      expect(secretsOf(mine.cookie)[0]).not.toBe(secretsOf(planted.cookie)[0]);
      const back = await provider.signInAt(mine.address);
      expect(await comeBack(back, planted.cookie)).toEqual(unfinished);
    });

    it('works for two tabs, and is removed after both', async () => {
      const first = await start();
      const second = await start(first.cookie);
      const backs = [
        await provider.signInAt(first.address),
        await provider.signInAt(second.address),
      ] as const;
      const afterFirst = await cookieAfter(backs[0], second.cookie);
      expect(secretsOf(afterFirst!)).toEqual([secretsOf(second.cookie)[0]]);
      expect(await comeBack(backs[0], second.cookie)).toEqual(unfinished);
      expect(await cookieAfter(backs[1], afterFirst!)).toBeUndefined();
    });

    it('is removed after a refusal, and kept for an unknown state', async () => {
      const { address, cookie } = await start();
      expect(await cookieAfter(`${callback}?code=x&state=${'A'.repeat(43)}`, cookie)).toBe(cookie);
      const back = new URL(await provider.signInAt(address));
      back.searchParams.set('code', 'made-up');
      expect(await cookieAfter(back.href, cookie)).toBeUndefined();
    });

    it('is not changed by another browser’s flow', async () => {
      const mine = await start();
      const theirs = await start();
      expect(await cookieAfter(await provider.signInAt(theirs.address), mine.cookie)).toBe(mine.cookie);
      expect(await comeBack(await provider.signInAt(mine.address), mine.cookie)).toEqual(done);
    });

    it('remembers the last four tabs', async () => {
      let { cookie } = await start();
      const tabs: { address: string; cookie: string }[] = [];
      for (let tab = 0; tab < 5; tab += 1) {
        const begun = await start(cookie);
        cookie = begun.cookie;
        tabs.push(begun);
      }
      expect(secretsOf(cookie).length).toBe(4);
      expect(await comeBack(await provider.signInAt(tabs[0]!.address), cookie)).toEqual(unfinished);
      expect(await comeBack(await provider.signInAt(tabs[1]!.address), cookie)).toEqual(done);
    });

    it('is replaced when the site did not make it', async () => {
      for (const made of ['', 'short', 'x'.repeat(5000), '%00'.repeat(15), '.', 'a.b.c'])
        expect((await start(`onward-oidc=${made}`)).cookie).toMatch(/^onward-oidc=[\w-]{43}$/);
    });
  });

  it('is closed after ten minutes', async () => {
    const { address, cookie } = await start();
    const back = await provider.signInAt(address);
    site.clock.moveOn(10 * 60_000);
    expect(await comeBack(back, cookie)).toEqual(unfinished);
  });

  it('is refused with a missing, doubled or unknown state', async () => {
    const { address, cookie } = await start();
    const back = await provider.signInAt(address);
    const without = new URL(back);
    without.searchParams.delete('state');
    const foreign = new URL(back);
    foreign.searchParams.set('state', 'A'.repeat(43));
    for (const wrong of [
      callback,
      without.href,
      foreign.href,
      `${callback}?state=`,
      `${callback}?state=%00`,
      `${callback}?state=${'x'.repeat(10_000)}`,
      `${callback}?code=x&state[]=y&state[a]=z`,
      `${back}&state=${new URL(back).searchParams.get('state')}`,
    ])
      expect([wrong.slice(0, 80), await comeBack(wrong, cookie)]).toEqual([wrong.slice(0, 80), unfinished]);
    // None of these has used up the right code.
    expect(await comeBack(back, cookie)).toEqual(done);
  });

  it('is refused with a made-up, missing, doubled or used code', async () => {
    for (const [change, expected] of [
      [(url: URL) => url.searchParams.set('code', 'made-up'), unfinished],
      [(url: URL) => url.searchParams.delete('code'), notAsItShould],
      [(url: URL) => url.searchParams.append('code', 'second'), notAsItShould],
      [(url: URL) => url.searchParams.set('iss', 'https://evil.example'), notAsItShould],
      [(url: URL) => url.searchParams.delete('iss'), notAsItShould],
    ] as const) {
      const { address, cookie } = await start();
      const back = new URL(await provider.signInAt(address));
      change(back);
      expect([String(change), await comeBack(back.href, cookie)]).toEqual([String(change), expected]);
    }
    const first = await start();
    const usedUp = new URL(await provider.signInAt(first.address));
    expect(await comeBack(usedUp.href, first.cookie)).toEqual(done);
    const second = await start();
    const replay = new URL(await provider.signInAt(second.address));
    replay.searchParams.set('code', usedUp.searchParams.get('code')!);
    expect(await comeBack(replay.href, second.cookie)).toEqual(unfinished);
  });
});
