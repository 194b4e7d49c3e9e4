import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const path = '/account/emails';
type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

/** What the page shows as chosen: for all kinds, and for the different kinds. */
async function shownTo({ open }: Browser) {
  const { page } = await open(path);
  return {
    all: page.querySelector('input[name=all_kinds][checked]')?.getAttribute('value'),
    each: new Set(page.querySelectorAll('option[selected]').map((each) => each.getAttribute('value'))),
  };
}

describe('the choice of emails for all kinds', () => {
  it('is one for all, or one for each kind', async () => {
    const organisation = { name: 'All Kinds Surgery' };
    const person = await signedInBrowser(site, { role: 'referrer', organisation });
    await anAccount(site.deps, { role: 'referrer', organisation });
    expect(await shownTo(person)).toEqual({ all: 'at-once', each: new Set(['at-once']) });
    for (const choice of ['daily', 'off', 'at-once']) {
      // A browser also sends the kinds, which are hidden.
      const { location } = await person.send(path, { all_kinds: choice, declined: 'daily' });
      expect(location).toBe('/account?done=emails');
      expect(await shownTo(person)).toEqual({ all: choice, each: new Set([choice]) });
    }
    await person.send(path, { all_kinds: 'each', declined: 'daily' });
    expect(await shownTo(person)).toEqual({ all: 'each', each: new Set(['at-once', 'daily']) });
  });

  it('is on the account page', async () => {
    const organisation = { name: 'Shown Choice Surgery' };
    const person = await signedInBrowser(site, { role: 'referrer', organisation });
    await anAccount(site.deps, { role: 'referrer', organisation });
    const shown = async () => (await person.open('/account')).text;
    expect(await shown()).toContain('News of referrals: all, at once');
    await person.send(path, { all_kinds: 'daily' });
    expect(await shown()).toContain('News of referrals: all, once a day in one email');
    await person.send(path, { all_kinds: 'each', declined: 'daily' });
    expect(await shown()).toMatch(/News of referrals: \d+ kinds at once, 1 kind once a day/);
  });

  it('leaves nobody without an email that somebody has to get', async () => {
    const alone = await signedInBrowser(site, { role: 'referrer', organisation: { name: 'One Alone' } });
    const { status, page } = await alone.send(path, { all_kinds: 'off' });
    expect(status).toBe(422);
    expect(page.querySelector('.nhsuk-error-summary a[href="#unanswered"]')).not.toBeNull();
    expect(page.querySelector('input[name=all_kinds][checked]')!.getAttribute('value')).toBe('each');
    expect(await shownTo(alone)).toEqual({ all: 'at-once', each: new Set(['at-once']) });
  });
});
