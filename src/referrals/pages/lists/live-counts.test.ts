import { beforeAll, describe, expect, it } from 'vitest';
import { referralPagesFixture } from '../../../../test/referrals/pages-fixture.ts';

const { site, provider, referrer, browser, aReferralPage } = await referralPagesFixture();
type Who = typeof provider;

let base: string;
beforeAll(async () => {
  base = await site.app.listen({ port: 0, host: '127.0.0.1' });
});

/** The address that the page of a list gives to its script. */
async function streamPath(who: Who, list: string): Promise<string> {
  const { page } = await who.open(list);
  return page.querySelector('[data-live]')!.getAttribute('data-live')!.replaceAll('&amp;', '&');
}

/** Opens the stream, and reads its events one by one; undefined once it has ended. */
async function follow(who: Who, path: string) {
  const answer = await fetch(base + path, { headers: { cookie: who.cookie }, redirect: 'manual' });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<object | undefined> => {
    const found = /data: (.*)\n\n/.exec(text);
    if (found) {
      text = text.slice(found.index + found[0].length);
      return JSON.parse(found[1]!);
    }
    const { value, done } = await reader!.read();
    text += value ?? '';
    return done ? undefined : next();
  };
  return { answer, next, stop: () => reader?.cancel() };
}

/** Later than the list was shown. */
async function aLaterReferral() {
  site.clock.moveOn(1000);
  return aReferralPage();
}

describe('the stream of an open worklist', () => {
  it('has two numbers that follow what others do, and no names', async () => {
    const path = await streamPath(provider, '/referrals?view=received&tab=unanswered');
    const { answer, next, stop } = await follow(provider, path);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await next()).toEqual({ needs_you: '', changed: '0' });
    const url = await aLaterReferral();
    expect(await next()).toEqual({ needs_you: '1', changed: '1' });
    await provider.send(`${url}/accept`, { version: '2' });
    expect(await next()).toEqual({ needs_you: '', changed: '0' });
    await stop();
  });

  it('has its number in menu and title without a script, too', async () => {
    await aLaterReferral();
    const { page } = await provider.open('/referrals?view=received');
    const badge = page.querySelector('.nhsuk-header__navigation-list .onward-badge')!;
    expect(badge.text).toBe('1 need action');
    expect(page.querySelector('title')!.text).toMatch(/^\(1\) Referrals to your services –/);
  });

  it('does not count what the reader did, and counts a message', async () => {
    const url = await aLaterReferral();
    const path = await streamPath(referrer, '/referrals?view=made');
    const { next, stop } = await follow(referrer, path);
    await next();
    site.clock.moveOn(1000);
    await referrer.send(`${url}/messages`, { text: 'Is a morning good?' });
    await provider.send(`${url}/messages`, { text: 'It is.' });
    expect(await next()).toMatchObject({ needs_you: '1', changed: '1' });
    await stop();
  });

  it('ends with the session, and does not keep it alive', async () => {
    const own = await browser({ role: 'referrer', organisation: { name: 'Infirmary Lane Surgery' } });
    const path = await streamPath(own, '/referrals?view=made');
    const { next } = await follow(own, path);
    await next();
    site.clock.moveOn(29 * 60_000);
    await aReferralPage();
    expect(await next()).toMatchObject({ changed: '1' });
    site.clock.moveOn(2 * 60_000);
    await aReferralPage();
    expect(await next()).toBeUndefined();
    const { answer } = await follow(own, path);
    expect([answer.status, answer.headers.get('location')]).toMatchObject([
      303,
      expect.stringContaining('/signin'),
    ]);
  });

  it('is refused beyond six for one person, without an error', async () => {
    const path = await streamPath(referrer, '/referrals?view=made');
    const open = await Promise.all(Array.from({ length: 6 }, () => follow(referrer, path)));
    expect(open.map(({ answer }) => answer.status)).toEqual(Array(6).fill(200));
    expect((await follow(referrer, path)).answer.status).toBe(204);
    for (const each of open) await each.stop();
    for (const since of ['x', '-1', '9'.repeat(30)])
      expect((await referrer.open(`/referrals/live?since=${since}`)).status, since).toBe(400);
  });

  it('ends at once when the site stops', async () => {
    const { next } = await follow(referrer, await streamPath(referrer, '/referrals?view=made'));
    await next();
    const began = performance.now();
    await Promise.all([site.app.close(), next().then((end) => expect(end).toBeUndefined())]);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
