import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { webhookJobHandler } from '../index.ts';

let site: TestApp;
let browser: Awaited<ReturnType<typeof signedInBrowser>>;
let stranger: typeof browser;
beforeAll(async () => {
  site = await makeApp();
  browser = await signedInBrowser(site);
  stranger = await signedInBrowser(site);
});
afterAll(() => site.close());

const good = {
  url: 'https://client.example.org/told',
  event_types: ['referral.accepted', 'message.created'],
};

async function added(): Promise<{ path: string; secret: string }> {
  const { page } = await browser.send('/webhooks/new', good);
  return {
    path: page.querySelector('a.nhsuk-button')!.getAttribute('href')!,
    secret: page.querySelector('#secret')!.getAttribute('value')!,
  };
}

describe('the pages of webhooks', () => {
  it('add a webhook, name every error, and show the secret once', async () => {
    const refused = await browser.send('/webhooks/new', {
      url: 'http://client.example.org',
      description: 'x'.repeat(201),
    });
    expect(refused.status).toBe(422);
    const errors = refused.page
      .querySelectorAll('.nhsuk-error-summary a')
      .map((each) => each.getAttribute('href'));
    expect(errors).toEqual(['#url', '#event_types', '#description']);
    expect(refused.page.querySelector('#url')!.getAttribute('value')).toBe('http://client.example.org');
    const empty = await browser.send('/webhooks/new', { url: '', event_types: '*' });
    expect(empty.page.querySelectorAll('.nhsuk-error-summary a').map(({ text }) => text.trim())).toEqual([
      'Enter the endpoint URL, such as https://client.example.org/webhooks',
    ]);
    const { path, secret } = await added();
    expect(secret).toMatch(/^whsec_/);
    const shown = await browser.open(path);
    expect(shown.text).toContain('referral.accepted');
    expect(shown.page.toString()).not.toContain(secret);
    expect((await browser.open('/webhooks')).text).toContain(good.url);
  });

  it('test, switch, change and remove a webhook and show its calls', async () => {
    const { path } = await added();
    const id = path.split('/').at(-1)!;
    const sent = await browser.send(`${path}/test`, {});
    expect((await browser.open(String(sent.location))).text).toContain('Test event sent');
    await webhookJobHandler(site.deps)({ webhook_id: id });
    expect((await browser.open(path)).text).toContain('Captured: a test site');
    const calls = await browser.open('/outbox/calls');
    const call = calls.page.querySelector('tbody a')!.getAttribute('href')!;
    const { text } = await browser.open(call);
    for (const part of [
      'POST https://client.example.org/told',
      'webhook-signature: v1,',
      '"type":"webhook.test"',
    ])
      expect(text).toContain(part);
    expect((await stranger.open(call)).status).toBe(404);
    expect((await stranger.open('/outbox/calls')).text).toContain('There are no calls yet');

    await browser.send(`${path}/off`, {});
    expect((await browser.open(path)).text).toContain('It was switched off by hand.');
    await browser.send(`${path}/on`, {});
    expect((await browser.open(path)).text).not.toContain('switched off');
    await browser.send(`${path}/change`, { ...good, event_types: '*', description: 'ours' });
    const changed = (await browser.open(path)).text;
    for (const part of ['Everything', 'ours']) expect(changed).toContain(part);
    await browser.send(`${path}/change`, { ...good, event_types: 'referral.paused' });
    const form = (await browser.open(`${path}/change`)).page;
    const later = form.querySelector('input[value="referral.paused"]')!;
    expect(later.hasAttribute('checked'), 'a type that the site does not know yet').toBe(true);
    await browser.send(`${path}/remove`, {});
    expect((await browser.open(path)).status).toBe(404);
  });

  it('hide other people’s webhooks, and ask for a recent sign-in', async () => {
    const { path } = await added();
    for (const rest of ['', '/change', '/remove'])
      expect((await stranger.open(path + rest)).status).toBe(404);
    for (const rest of ['/test', '/on', '/off', '/change', '/rotate-secret', '/remove'])
      expect([rest, (await stranger.send(path + rest, good)).status]).toEqual([rest, 404]);
    site.clock.moveOn(16 * 60_000);
    for (const rest of ['/on', '/off', '/change', '/rotate-secret', '/remove']) {
      const { status, location } = await browser.send(path + rest, good);
      expect([rest, status, location?.toString().startsWith('/signin?next=')]).toEqual([rest, 303, true]);
    }
    expect((await browser.send('/webhooks/new', good)).status).toBe(303);
    expect((await browser.open('/webhooks')).status).toBe(200);
  });
});
