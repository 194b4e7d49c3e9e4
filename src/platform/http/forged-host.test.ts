import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, testPassword } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { linkIn, mailsTo } from '../../../test/network/mailbox.ts';

// Somebody may make a proxy or a browser send another Host. The site must not write that host into a link: a password
// reset that leads elsewhere hands the account over.

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => site.close());

const forged = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  forwarded: 'host=evil.example',
};

describe('a forged Host', () => {
  it('is in no page, redirect or refusal, even through a proxy', async () => {
    for (const url of [
      '/',
      '/signin',
      '/apikeys',
      '/nothing',
      '/api/token/status',
      '/api/openapi.json',
      '/problems',
    ]) {
      const answer = await site.app.inject({ url, headers: forged });
      const all = `${JSON.stringify(answer.headers)} ${answer.body}`;
      expect(all, url).not.toContain('evil.example');
      expect(answer.headers.location ?? '/', url).toMatch(/^\/(?!\/)/);
    }
  });

  it('does not change the link of a password reset', async () => {
    const { email } = await anAccount(site.deps);
    const { baseUrl } = site.deps.settings;
    await site.app.inject({
      method: 'POST',
      url: '/reset-password',
      payload: new URLSearchParams({ email }).toString(),
      headers: { ...forged, 'content-type': 'application/x-www-form-urlencoded', origin: baseUrl },
    });
    const [mail] = await mailsTo(site, email);
    expect(mail?.text).toContain(`${baseUrl}${linkIn(mail)}`);
    expect(mail?.text).not.toContain('evil.example');
  });

  it('does not loosen a cookie, nor does a forged protocol', async () => {
    const https = await makeApp({ env: { ONWARD_BASE_URL: 'https://onward.example' } });
    const { email } = await anAccount(https.deps);
    const answer = await https.app.inject({
      method: 'POST',
      url: '/signin',
      payload: new URLSearchParams({ email, password: testPassword }).toString(),
      headers: {
        ...forged,
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://onward.example',
      },
    });
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-onward-session=.*; Secure/);
    await https.close();
  });
});
