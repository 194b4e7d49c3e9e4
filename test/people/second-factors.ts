import { parse } from 'node-html-parser';
import { TOTP } from 'otpauth';
import { afterAll } from 'vitest';
import { anAccount } from '../app/builders.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { plainBrowser } from './plain-browser.ts';
import { type Oddity, softPasskey } from './soft-passkey.ts';

// People with second factors, who set them up on the pages.

export type PlainBrowser = ReturnType<typeof plainBrowser>;

/** The code that an authenticator app shows now, or some periods of 30 seconds from now. */
export function codeOf({ clock }: TestApp, secret: string, periodsFromNow = 0): string {
  return TOTP.generate({
    secret: secretOf(secret),
    timestamp: clock.now().getTime() + periodsFromNow * 30_000,
  });
}

const secretOf = (base32: string) => new TOTP({ secret: base32 }).secret;

/** Somebody who is signed in, with a password alone. */
export async function somebody(site: TestApp, given: Parameters<typeof anAccount>[1] = {}) {
  const account = await anAccount(site.deps, given);
  const browser = plainBrowser(site.app);
  await browser.signIn(account.email);
  return { ...account, browser };
}

/** Sets up an authenticator app, up to the page that shows its secret. */
export async function beginAuthenticator(browser: PlainBrowser): Promise<string> {
  await browser.post('/account/authenticator', {});
  const page = parse((await browser.get('/account/authenticator')).body);
  return page.querySelector('#authenticator-key')!.text.replaceAll(' ', '');
}

/** Somebody with an authenticator app, signed in by `browser`; its next code is a new one. */
export async function withAuthenticator(site: TestApp) {
  const person = await somebody(site);
  const secret = await beginAuthenticator(person.browser);
  const done = await person.browser.post('/account/authenticator/confirm', { code: codeOf(site, secret) });
  const recoveryCodes = parse(done.body)
    .querySelectorAll('.onward-codes code')
    .map(({ text }) => text);
  site.clock.moveOn(30_000);
  return { ...person, secret, recoveryCodes };
}

/** Adds a passkey for the person who is signed in. */
export async function addPasskey(site: TestApp, browser: PlainBrowser, name = 'Work laptop') {
  const passkey = softPasskey();
  const options = await passkeyUse(site).ask(browser, '/account/passkeys');
  const registered = { passkey: passkey.register(options), name };
  const answer = await browser.postJson('/account/passkeys', registered);
  return { passkey, answer };
}

/** What browsers do with passkeys at a site. */
function passkeyUse(site: TestApp) {
  const ask = async (browser: PlainBrowser, path: string) =>
    (await browser.postJson(`${path}/options`)).json();
  return {
    /** What a page's script requests first. */
    ask,
    /** Signs in with a passkey alone, or after the password. @returns the answer's status. */
    async use(
      passkey: ReturnType<typeof softPasskey>,
      odd: Oddity = {},
      browser = plainBrowser(site.app),
      path = '/signin/passkey',
    ) {
      const answered = passkey.answer(await ask(browser, path), odd);
      return (await browser.postJson(path, { passkey: answered, next: '/referrals' })).statusCode;
    },
  };
}

/** A site for the tests of one file, with what browsers do with passkeys there. */
export async function passkeySite() {
  const site = await makeApp();
  afterAll(() => site.close());
  return { site, ...passkeyUse(site) };
}

/** Somebody with a passkey and no other second factor, signed in by `browser`. */
export async function withPasskey(site: TestApp) {
  const person = await somebody(site);
  const { passkey } = await addPasskey(site, person.browser);
  return { ...person, passkey };
}
