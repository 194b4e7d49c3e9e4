import { afterAll, describe, expect, test } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { formsOf, login, makeApiLoginSite, returnUrl } from '../../../test/people/api-login.ts';
import { forgedReturnUrls, honestReturnUrls } from '../../../test/people/forged-return-addresses.ts';
import { siteActor } from '../../audit/index.ts';
import { registerReturnAddress, removeReturnAddress } from './return-addresses.ts';

const site = await makeApiLoginSite();
const { open, countTokens } = site;
afterAll(() => site.close());

describe('/apilogin', () => {
  test('answers every forged return address with a 400 page', async () => {
    const { id, email } = await anAccount(site.deps);
    const [nobody, somebody] = [open(), open()];
    await somebody.signIn(email);
    const before = await countTokens();
    for (const [what, texts] of Object.entries(forgedReturnUrls)) {
      for (const text of texts) {
        const form = { returnUrl: text, account: id };
        const answers = [
          await nobody.get(login(text)),
          await somebody.get(login(text)),
          await somebody.post('/apilogin', form),
          await somebody.post('/apilogin/other-account', form),
        ];
        for (const { statusCode, headers, body } of answers) {
          expect(statusCode, `${what}: ${text}`).toBe(400);
          expect(headers.location, text).toBeUndefined();
          expect(headers['content-type'], text).toContain('text/html');
          expect(headers['referrer-policy'], text).toBe('no-referrer');
          expect(body, text).not.toMatch(/evil|client\.e|signed-in|alert\(/);
        }
      }
    }
    expect(await countTokens()).toBe(before);
    expect((await somebody.get('/apikeys')).statusCode, 'nobody was signed out by one').toBe(200);
  });

  test('refuses missing, repeated and unknown parameters', async () => {
    const good = encodeURIComponent(returnUrl);
    const queries = [
      '',
      '?',
      '?returnUrl',
      '?returnUrl=',
      `?returnUrl=${good}&returnUrl=${good}`,
      `?returnUrl=${good}&return%55rl=${good}`,
      `?returnurl=${good}`,
      `?returnUrl[]=${good}`,
      `?returnUrl=${good}&token=x`,
      `?returnUrl=${good}&https://evil.example=x`,
      `?returnUrl=${good}&response_mode=fragment`,
      `?returnUrl=${good}&response_mode=`,
      `?returnUrl=${good}&response_mode=query&response_mode=form_post`,
      `?returnUrl=${good}&responseMode=form_post`,
      '?returnUrl=%',
      '?returnUrl=%ff',
      `?returnUrl=${'x'.repeat(9000)}`,
    ];
    for (const query of queries) {
      const answer = await open().get(`/apilogin${query}`);
      expect([answer.statusCode, answer.headers.location], query).toEqual([400, undefined]);
      expect(answer.body, query).not.toMatch(/evil|client\.e|xxx/);
    }
  });

  test('serves every honest return address, even the longest', async () => {
    const { email } = await anAccount(site.deps);
    const browser = open();
    await browser.signIn(email);
    for (const text of honestReturnUrls) {
      const [goOn] = formsOf(await browser.get(login(text)));
      const { headers } = await browser.post('/apilogin', goOn!.fields);
      expect(headers.location?.startsWith(text), text).toBe(true);
      expect(new URL(headers.location!).searchParams.getAll('token'), text).toEqual([
        expect.stringMatching(/^ona_/),
      ]);
    }
  });

  test('refuses a removed address at the next step', async () => {
    const address = 'https://leaving.example/back';
    await registerReturnAddress(site.deps, siteActor, address);
    const { email } = await anAccount(site.deps);
    const browser = open();
    await browser.signIn(email);
    const [goOn] = formsOf(await browser.get(login(address)));
    await removeReturnAddress(site.deps, siteActor, address);
    expect((await browser.post('/apilogin', goOn!.fields)).statusCode).toBe(400);
  });
});
