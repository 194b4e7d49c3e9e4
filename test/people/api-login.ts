import { parse } from 'node-html-parser';
import { expect } from 'vitest';
import { siteActor } from '../../src/audit/index.ts';
import { registerReturnAddress } from '../../src/tokens/api-login/return-addresses.ts';
import { makeApp } from '../app/make-app.ts';
import { countRows } from '../database/stored.ts';
import { registeredAddresses } from './forged-return-addresses.ts';
import { plainBrowser } from './plain-browser.ts';

// Helpers for tests of /apilogin.

export const returnUrl = 'https://client.example/signed-in?state=7%2F9';
export const login = (text: string, more = '') =>
  `/apilogin?returnUrl=${encodeURIComponent(text.toWellFormed())}${more}`;

type Browser = ReturnType<typeof plainBrowser>;
type Answer = Awaited<ReturnType<Browser['get']>>;
type Form = { action: string; atOnce: boolean; fields: Record<string, string> };

export function formsOf({ body }: Answer): Form[] {
  return parse(body)
    .querySelectorAll('main form')
    .map((form) => ({
      action: form.getAttribute('action')!,
      atOnce: form.hasAttribute('data-send-at-once'),
      fields: Object.fromEntries(
        form
          .querySelectorAll('input')
          .map((field) => [field.getAttribute('name')!, field.getAttribute('value')!]),
      ),
    }));
}

/** The token in an answer to the client; undefined where it has none. */
export function tokenIn({ headers, body }: Answer): string | undefined {
  return /ona_\w+/.exec(`${headers.location} ${body}`)?.[0];
}

/** Opens a login without being signed in. @returns the path to come back to after the sign-in. */
export async function signInFor(browser: Browser, address: string, email: string): Promise<string> {
  const sentAway = await browser.get(address);
  expect(sentAway.statusCode).toBe(303);
  const next = new URL(String(sentAway.headers.location), 'http://localhost:8080').searchParams.get('next')!;
  return browser.signIn(email, next);
}

/** A site with registered return addresses. */
export async function makeApiLoginSite() {
  const site = await makeApp({ env: { ONWARD_OPERATOR_CONTACT: 'Olive Operator' } });
  for (const address of registeredAddresses) await registerReturnAddress(site.deps, siteActor, address);
  return {
    ...site,
    open: () => plainBrowser(site.app),
    countTokens: () => countRows(site.deps.db, 'access_tokens'),
  };
}
