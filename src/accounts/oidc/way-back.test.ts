import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import {
  callback,
  declined,
  done,
  makeOidcSite,
  notAsItShould,
  unfinished,
} from '../../../test/oidc-site.ts';

const { site, provider, start, comeBack, close } = await makeOidcSite();
afterAll(close);

async function refusals(reason: string): Promise<number> {
  const { rows } = await sql`
    select from audit_entries where outcome = 'refused' and details->>'reason' = ${reason}`.execute(
    site.deps.db,
  );
  return rows.length;
}

test('the browser is sent with all that guards the way back, and is marked', async () => {
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

test('the way back works once', async () => {
  const { address, cookie } = await start();
  const back = await provider.signInAt(address);
  expect(await comeBack(back, cookie)).toEqual(done);
  expect(await comeBack(back, cookie)).toEqual(unfinished);
});

test('of many who come back with the same address at once, one gets in', async () => {
  const { address, cookie } = await start();
  const back = await provider.signInAt(address);
  const answers = await Promise.all(Array.from({ length: 8 }, () => comeBack(back, cookie)));
  expect(answers.filter(({ signedIn }) => signedIn).length).toBe(1);
});

test('it is for the browser that set out, and for no other', async () => {
  const mine = await start();
  const theirs = await start();
  const back = await provider.signInAt(mine.address);
  expect(await comeBack(back, theirs.cookie)).toEqual(unfinished);
  // What another browser has seen is not left for a second try.
  expect(await comeBack(back, mine.cookie)).toEqual(unfinished);
  site.clock.moveOn(60_000);
  expect(await comeBack(await provider.signInAt((await start()).address), '')).toEqual(unfinished);
  expect(await refusals('sign-in-not-finished')).toBe(2);
});

test('strangers who come back with nothing, again and again, are written down once a minute', async () => {
  site.clock.moveOn(60_000);
  for (let times = 0; times < 5; times += 1) {
    const { address, cookie } = await start();
    const state = new URL(address).searchParams.get('state')!;
    const back = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    expect(await comeBack(`${callback}?${back}`, cookie)).toEqual(declined);
  }
  expect(await refusals('provider-declined')).toBe(1);
});

test('two tabs of one browser do not end each other’s', async () => {
  const first = await start();
  const second = await start(first.cookie);
  expect(second.cookie).toBe(first.cookie);
  expect(await comeBack(await provider.signInAt(first.address), first.cookie)).toEqual(done);
  expect(await comeBack(await provider.signInAt(second.address), second.cookie)).toEqual(done);
});

test('a cookie that the site did not make is replaced', async () => {
  for (const made of ['', 'short', 'x'.repeat(5000), '%00'.repeat(15)])
    expect((await start(`onward-oidc=${made}`)).cookie).toMatch(/^onward-oidc=[\w-]{43}$/);
});

test('after ten minutes it is too late', async () => {
  const { address, cookie } = await start();
  const back = await provider.signInAt(address);
  site.clock.moveOn(10 * 60_000);
  expect(await comeBack(back, cookie)).toEqual(unfinished);
});

test('a state that is missing, doubled, foreign or no state at all is refused', async () => {
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
  // None of these has used up the right one.
  expect(await comeBack(back, cookie)).toEqual(done);
});

test('a code that was made up, left out, doubled or used before gets nobody in', async () => {
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
