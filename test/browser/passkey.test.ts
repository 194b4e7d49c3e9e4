import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, follow, inChromium, openWindow, phone, signIn } from './open-browser.ts';
import { siteInBrowser } from './site-in-browser.ts';

// The account's own page in a real browser, with Chromium's virtual authenticator in place of a finger.

const { site, browser } = await siteInBrowser();

/** Plugs in a device that keeps passkeys and says that it verified the person. @returns functions that control it. */
async function plugIn(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    forgetAll: () => session.send('WebAuthn.clearCredentials', { authenticatorId }),
    /** Whether the person takes up every offer of a passkey at once. */
    present: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    verified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

describe('a passkey', inChromium, () => {
  it('is added, signs in alone and after a password, is removed', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl);
    const device = await plugIn(page);
    const login = site.logins.referrer;
    await signIn(page, login);
    await page.locator('header a[href="/account"]').click();
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('A name for it').fill('Work laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.waitForURL('**/account/recovery-codes');
    await page.getByRole('button', { name: 'Make recovery codes' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    expect(await page.locator('.onward-codes li').count()).toBe(10);

    // The same device again does not count as a second passkey.
    await page.goto('/account/passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('There is a passkey of yours on this device already').waitFor();

    await follow(page.getByRole('button', { name: 'Sign out' }));
    await page.goto('/signin?next=/account');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/account');
    await page.getByText('Last used on').waitFor();

    // The field for the email address offers it too.
    await follow(page.getByRole('button', { name: 'Sign out' }));
    await page.getByLabel('Email address').focus();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();

    await follow(page.getByRole('button', { name: 'Sign out' }));
    await device.present(false);
    await page.getByLabel('Email address').fill(login.email);
    await page.getByLabel('Password').fill(login.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/signin/code');
    await device.present(true);
    await device.verified(false);
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await device.verified(true);

    await page.goto('/account');
    await page.getByRole('link', { name: 'Remove the passkey Work laptop' }).click();
    await page.getByLabel('Your password').fill(login.password);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The authenticator app or passkey was removed.').waitFor();
    expect(complaints).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey does not open an account here').waitFor();
    await device.forgetAll();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used').waitFor();
    await close();
  });
});

describe('the pages of an account', inChromium, () => {
  it('are accessible', async () => {
    const { page, complaints, close } = await openWindow(browser, site.baseUrl, phone);
    const login = site.logins.operator;
    await plugIn(page);
    await signIn(page, login);
    for (const path of ['/account', '/account/name', '/account/password', '/account/passkeys']) {
      await page.goto(path);
      await expectAccessible(page);
    }
    await page.goto('/account');
    await follow(page.getByRole('button', { name: 'Set up an authenticator app' }));
    await expectAccessible(page);
    const secret = (await page.locator('#authenticator-key').innerText()).replaceAll(' ', '');
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await expectAccessible(page);
    await page.goto('/account/authenticator/remove');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').fill(login.email);
    await page.getByLabel('Password').fill(login.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/signin/code');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });

  it('show nothing after signing out and going back', async () => {
    const { page, close } = await openWindow(browser, site.baseUrl);
    await signIn(page, site.logins.referrer);
    await page.goto('/account');
    await page.getByText(site.logins.referrer.email).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/signin');
    await page.goBack();
    await page.waitForURL(/\/signin\?next=/);
    expect(await page.content()).not.toContain(site.logins.referrer.email);
    await close();
  });
});

describe('a browser without JavaScript', inChromium, () => {
  it('is not offered a passkey', async () => {
    const context = await browser.newContext({ baseURL: site.baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page, site.logins.referrer);
    await page.goto('/account/passkeys');
    await page.getByText('Your browser cannot make a passkey here').waitFor();
    expect(await page.getByRole('button', { name: 'Add a passkey' }).isVisible()).toBe(false);
    await page.goto('/signin');
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
    await context.close();
  });
});
