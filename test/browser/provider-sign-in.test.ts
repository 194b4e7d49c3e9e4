import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOidcProvider } from '../network/oidc-provider.ts';
import { readySite } from '../process/ready-site.ts';
import { freePort, type SiteProcess } from '../process/site-process.ts';
import {
  expectAccessible,
  follow,
  inChromium,
  openBrowser,
  openWindow,
  phone,
  signIn,
} from './open-browser.ts';

// Only a browser shows that a form may lead on to the provider, and that our cookies come along when the provider sends
// the person back: to a browser, the provider's 127.0.0.1 is another site than localhost.

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let site: SiteProcess;
let browser: Browser;
beforeAll(async () => {
  const port = await freePort();
  provider = await startOidcProvider(await freePort(), `http://localhost:${port}/signin/oidc/callback`);
  site = await readySite({ ...provider.env, ONWARD_PORT: String(port) });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site?.remove();
  await provider?.stop();
});

describe('a person', inChromium, () => {
  it('links a provider, signs in with it and unlinks it', async () => {
    provider.state.somebody = { subject: 'asha' };
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    await signIn(page, site.logins.referrer);
    await page.goto('/account');
    await follow(page.getByRole('link', { name: 'Signing in with Sarrowby Council' }));
    await expectAccessible(page);
    await follow(page.getByRole('button', { name: 'Link Sarrowby Council' }));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue to Sarrowby Council' }).click();
    await page.getByText('Not used yet').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in with Sarrowby Council' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.goto('/account/identities');
    await page.getByRole('button', { name: 'Remove the link' }).click();
    await page.getByText('No sign-in of another organisation').waitFor();

    await follow(page.getByRole('button', { name: 'Sign out' }));
    await page.goto('/signin/oidc');
    await page.getByText('No account here is linked to this sign-in yet').waitFor();
    await expectAccessible(page);
    expect(complaints.filter((each) => !each.includes(provider.issuer) && !each.startsWith('403'))).toEqual(
      [],
    );
    await close();
  });
});
