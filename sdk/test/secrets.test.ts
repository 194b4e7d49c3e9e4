import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteActor } from '../../src/audit/index.ts';
import { registerReturnAddress } from '../../src/tokens/api-login/return-addresses.ts';
import { testPassword } from '../../test/app/builders.ts';
import { pageVisitor } from '../../test/people/page-visitor.ts';
import { apilogin, type CallReport, Onward } from '../src/index.ts';
import { type ClientFixture, makeClientFixture } from './client-fixture.ts';

let fixture: ClientFixture;
beforeAll(async () => {
  fixture = await makeClientFixture();
});
afterAll(() => fixture.close());

/** Everything that a log may show of a value. */
const shown = (value: unknown) =>
  [
    inspect(value, { depth: null, showHidden: true }),
    JSON.stringify(value),
    String(value),
    (value as Error)?.stack,
  ].join();

describe('the tokens of a client', () => {
  it('are in nothing that a program may log', async () => {
    const reports: CallReport[] = [];
    const onCall = (report: CallReport) => void reports.push(report);
    const onward = fixture.client('referrer', { onCall, retries: 0 });
    const logged: unknown[] = [onward, reports, onward.call, onward.referrals];
    const note = (call: Promise<unknown>) =>
      call.then(
        () => expect.unreachable(),
        (error) => logged.push(error),
      );

    await onward.whoAmI();
    await note(onward.referrals.get('nothing'));
    await note(onward.referrals.create({} as never));
    fixture.line.next(/status/, 'refuse', { status: 302, headers: { location: '/elsewhere' } });
    await note(onward.whoAmI());
    await note(onward.whoAmI());
    fixture.line.next(/refresh/, 'lose-answer', { status: 401 });
    await note(fixture.client('referrer', { retries: 0 }).whoAmI());
    await note(fixture.client('referrer', { retries: 0 }).whoAmI());
    // Some libraries put the whole request into their errors.
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      const headers = Object.fromEntries(init.headers as Headers);
      throw Object.assign(new Error(`${url} ${init.body}`), {
        headers,
        cause: { code: headers.authorization },
      });
    };
    await note(fixture.client('referrer', { fetch, retries: 0 }).whoAmI());
    await note(new Onward({ site: fixture.line.url, auth: { accessToken: 'ona_secret' }, fetch }).whoAmI());

    expect(logged).toHaveLength(12);
    const secrets = fixture.line.sent.flatMap(({ headers, body }) => [
      headers.authorization?.replace('Bearer ', ''),
      body.match(/on[ar]_\w+/)?.[0],
    ]);
    const known = new Set([...secrets.filter((each) => each !== undefined), 'ona_secret']);
    expect(known.size).toBeGreaterThan(2);
    for (const secret of known) expect(logged.map(shown).join()).not.toContain(secret);
    expect(logged.map(shown).join()).not.toMatch(/on[ar]_\w{6}/);
  });
});

describe('apilogin', () => {
  const returnUrl = 'https://client.example/back';

  async function signIn(formPost = false) {
    await registerReturnAddress(fixture.site.deps, siteActor, returnUrl).catch(() => undefined);
    const { url, state } = apilogin.start({ site: fixture.siteUrl, returnUrl, formPost });
    const browser = pageVisitor(fixture.siteUrl);
    await browser.signIn({ email: fixture.accounts.referrer.email, password: testPassword });
    const { pathname, search } = new URL(url);
    const asked = await browser.visit(pathname + search);
    return { asked, browser, state };
  }

  it('brings a user back with a token of their own', async () => {
    const { asked, browser, state } = await signIn();
    const form = asked.page.querySelectorAll('form').find((each) => each.text.includes('Continue'))!;
    const answer = await fetch(new URL(form.getAttribute('action')!, fixture.siteUrl), {
      method: 'POST',
      redirect: 'manual',
      headers: {
        origin: fixture.siteUrl,
        cookie: [...browser.cookies].map((each) => each.join('=')).join('; '),
      },
      body: new URLSearchParams(
        Object.fromEntries(
          form
            .querySelectorAll('input')
            .map((each) => [each.getAttribute('name')!, each.getAttribute('value') ?? '']),
        ),
      ),
    });
    const back = answer.headers.get('location')!;
    expect(back).toMatch(/^https:\/\/client\.example\/back\?state=[0-9a-f-]{36}&token=ona_\w+$/);
    const auth = await apilogin.finish(back, state);
    const { account, token } = await new Onward({ site: fixture.siteUrl, auth }).whoAmI();
    expect([account.id, token.source]).toEqual([fixture.accounts.referrer.id, 'apilogin']);
    const { pathname, search } = new URL(back);
    expect(await apilogin.finish(pathname + search, state)).toEqual(auth);
    expect(await apilogin.finish(new Request(back), state)).toEqual(auth);
  });

  it('takes the token from a form', async () => {
    const { url } = apilogin.start({
      site: fixture.siteUrl,
      returnUrl: `${returnUrl}?page=1`,
      formPost: true,
    });
    const { searchParams } = new URL(url);
    expect(searchParams.get('response_mode')).toBe('form_post');
    const back = searchParams.get('returnUrl')!;
    expect(back).toMatch(/\?page=1&state=/);
    const state = new URL(back).searchParams.get('state')!;
    const body = new URLSearchParams({ token: 'ona_1' });
    expect(await apilogin.finish(new Request(back, { method: 'POST', body }), state)).toEqual({
      accessToken: 'ona_1',
    });
  });

  it('takes the fields of a form that a server has read already', async () => {
    const back = `/back?state=mine`;
    expect(await apilogin.finish(back, 'mine', { token: 'ona_1' })).toEqual({ accessToken: 'ona_1' });
    await expect(apilogin.finish(back, 'mine', {})).rejects.toThrow('without a token');
  });

  it('says that a return address must be whole', () => {
    const start = () => apilogin.start({ site: fixture.siteUrl, returnUrl: '/back' });
    expect(start).toThrow('`returnUrl` must be a whole address, such as https://client.example.org/back');
  });

  it('refuses another browser’s token without repeating it', async () => {
    const back = `${returnUrl}?state=other&token=ona_stolen`;
    for (const state of ['mine', '', undefined]) {
      const error = await apilogin.finish(back, state).catch((reason) => reason);
      expect(error.message).toContain('This browser has not begun the sign-in');
      expect(shown(error)).not.toContain('stolen');
    }
    await expect(apilogin.finish(`${returnUrl}?state=mine`, 'mine')).rejects.toThrow('without a token');
  });
});
