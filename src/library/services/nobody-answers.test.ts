import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount } from '../../../test/builders.ts';
import { liveEnv } from '../../../test/live-env.ts';
import { makeApp, type TestApp } from '../../../test/make-app.ts';
import { signedInBrowser } from '../../../test/signed-in-browser.ts';
import { theSite } from '../../accounts/index.ts';
import { importServices } from '../index.ts';

// A directory was read in. Of two of its organisations one has somebody with an account.

const service = (id: string) => ({
  id,
  name: `Service ${id}`,
  status: 'active',
  phones: [{ id: `p-${id}`, number: '01632 960123' }],
  organization: { id: `o-${id}`, name: `Trust ${id}` },
});

async function siteWithBoth(env: Record<string, string>) {
  const site = await makeApp({ env });
  const lines = ['a', 'b'].map((id) => JSON.stringify(service(id))).join('\n');
  await importServices(site.deps, theSite, Readable.from([Buffer.from(lines)]), { source: 'directory' });
  const organisation = { name: 'Trust a', libraryOrganizationId: 'o-a' };
  await anAccount(site.deps, { role: 'provider', organisation });
  const referrer = await signedInBrowser(site, { role: 'referrer' });
  const offers = async (path: string) => {
    const { page } = await referrer.open(path);
    return page.querySelectorAll('main a[href^="/referrals/new"]').map((link) => link.getAttribute('href')!);
  };
  return { site, referrer, offers };
}

let live: Awaited<ReturnType<typeof siteWithBoth>>;
let trial: Awaited<ReturnType<typeof siteWithBoth>>;
const sites: TestApp[] = [];
beforeAll(async () => {
  [live, trial] = await Promise.all([siteWithBoth(liveEnv), siteWithBoth({})]);
  sites.push(live.site, trial.site);
});
afterAll(() => Promise.all(sites.map((site) => site.close())));

test('a live site offers no referral that nobody could open, and says how to reach the service', async () => {
  expect(await live.offers('/services')).toEqual(['/referrals/new?service=a']);
  expect(await live.offers('/services/a')).toEqual(['/referrals/new?service=a']);
  expect(await live.offers('/services/b')).toEqual([]);
  const notice = (await live.referrer.open('/services/b')).page.querySelector(
    '.nhsuk-inset-text',
  )!.structuredText;
  expect(notice).toContain('nobody who runs it has an account here');
  expect(notice).toContain('01632 960123');
  const form = await live.referrer.open('/referrals/new?service=b');
  expect(form.page.querySelector('main form')).toBeNull();
  expect(form.text).toContain('nobody who runs it has an account here');
});

test('another way than the list of this site needs no account', async () => {
  await sql`insert into service_referral_settings (service_id, accepts, channels) values ('b', true, '{email}')`.execute(
    live.site.deps.db,
  );
  expect(await live.offers('/services/b')).toEqual(['/referrals/new?service=b']);
  expect(await live.offers('/services')).toHaveLength(2);
});

test('a test site says so, and lets it be tried all the same', async () => {
  expect(await trial.offers('/services')).toHaveLength(2);
  expect(await trial.offers('/services/b')).toEqual(['/referrals/new?service=b']);
  expect((await trial.referrer.open('/services/b')).text).toContain('on this test site you can try one out');
  expect((await trial.referrer.open('/services/a')).text).not.toContain('try one out');
});

test('whoever refers nobody is offered no referral', async () => {
  const provider = await signedInBrowser(trial.site, { role: 'provider' });
  const { page } = await provider.open('/services/a');
  expect(page.querySelector('main a[href^="/referrals/new"]')).toBeNull();
});
