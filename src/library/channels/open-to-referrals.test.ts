import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableAccount, removePassword } from '../../../test/accounts/stored.ts';
import { anAccount, aReferral, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { setChannels } from '../../../test/library/stored.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';

// A directory was imported. One of its two organisations has somebody with an account; somebody of the other was only invited.

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
  await importServices(site.deps, siteActor, Readable.from([Buffer.from(lines)]), { source: 'directory' });
  const organisation = { name: 'Trust a', libraryOrganizationId: 'o-a' };
  const provider = await anAccount(site.deps, { role: 'provider', organisation });
  const ofOther = { name: 'Trust b', libraryOrganizationId: 'o-b' };
  const invited = await anAccount(site.deps, { role: 'provider', organisation: ofOther });
  await removePassword(site.deps.db, invited.id);
  const disableProvider = () => disableAccount(site.deps.db, provider.id);
  const referrer = await signedInBrowser(site, { role: 'referrer' });
  const offers = async (path: string) => {
    const { page } = await referrer.open(path);
    return page.querySelectorAll('main a[href^="/referrals/new"]').map((link) => link.getAttribute('href')!);
  };
  const { headers } = await aTokenHolder(site.deps, { role: 'referrer' });
  const accepting = () =>
    Promise.all(
      ['true', 'false'].map(async (value) => {
        const url = `/api/library/services?accepting=${value}`;
        return (await site.app.inject({ url, headers })).json().contents.map(({ id }: { id: string }) => id);
      }),
    );
  const refer = (id: string) =>
    site.app.inject({
      method: 'POST',
      url: '/api/referrals',
      headers,
      // A live site refuses NHS numbers reserved for tests; a test site refuses all others.
      payload: aReferral(id, { patient: { ...aReferral(id).patient, nhs_number: undefined } }),
    });
  return { site, referrer, offers, accepting, refer, disableProvider };
}

let live: Awaited<ReturnType<typeof siteWithBoth>>;
let trial: Awaited<ReturnType<typeof siteWithBoth>>;
const sites: TestApp[] = [];
beforeAll(async () => {
  // A site without a mail server refuses new addresses. These tests send no email.
  const mailServer = { ONWARD_SMTP_URL: 'smtp://127.0.0.1:1025', ONWARD_MAIL_FROM: 'referrals@example.org' };
  [live, trial] = await Promise.all([siteWithBoth({ ...liveEnv, ...mailServer }), siteWithBoth({})]);
  sites.push(live.site, trial.site);
});
afterAll(() => Promise.all(sites.map((site) => site.close())));

describe('a live site', () => {
  it('offers no referral that nobody could open', async () => {
    expect(await live.offers('/services')).toEqual(['/referrals/new?service=a']);
    expect(await live.offers('/services/a')).toEqual(['/referrals/new?service=a']);
    expect(await live.offers('/services/b')).toEqual([]);
    const notice = (await live.referrer.open('/services/b')).page.querySelector('.nhsuk-inset-text')!;
    expect(notice.structuredText).toContain('nobody who runs it has an account here');
    expect(notice.structuredText).toContain('01632 960123');
    // The printed page is for people who do not refer.
    expect(notice.classNames).toContain('onward-no-print');
    const form = await live.referrer.open('/referrals/new?service=b');
    expect(form.page.querySelector('main form')).toBeNull();
    expect(form.text).toContain('nobody who runs it has an account here');
  });

  it('neither lists nor accepts such a service by its API', async () => {
    expect(await live.accepting()).toEqual([['a'], ['b']]);
    const refused = await live.refer('b');
    expect(refused.statusCode).toBe(422);
    expect(refused.json().errors).toEqual([
      { pointer: '/service_id', message: expect.stringMatching(/^is a service that has no way to receive/) },
    ]);
    expect((await live.refer('a')).statusCode).toBe(201);
    expect([await trial.accepting(), (await trial.refer('b')).statusCode]).toEqual([[['a', 'b'], []], 201]);
  });

  it('needs no account for channels other than the inbox', async () => {
    await setChannels(live.site.deps.db, 'b', { channels: ['email'] });
    expect(await live.offers('/services/b')).toEqual([]);
    expect((await live.refer('b')).statusCode).toBe(422);
    const { headers } = await aTokenHolder(live.site.deps, { role: 'operator' });
    const url = '/api/library/services/b/referral_settings';
    const payload = { accepts: true, channels: ['email'], answered_by: { email: 'b@example.org' } };
    expect((await live.site.app.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(200);
    // addresses.test.ts shows that its letter is held until somebody confirms the address.
    expect((await live.refer('b')).statusCode).toBe(201);
    expect(await live.offers('/services/b')).toEqual(['/referrals/new?service=b']);
    expect(await live.offers('/services')).toHaveLength(2);
    expect(await live.accepting()).toEqual([['a', 'b'], []]);
  });

  it('does not count a webhook without a secret', async () => {
    const { headers } = await aTokenHolder(live.site.deps, { role: 'operator' });
    const url = '/api/library/services/b/referral_settings';
    const payload = {
      accepts: true,
      channels: ['webhook'],
      addresses: { webhook: 'https://b.example.org/' },
    };
    expect((await live.site.app.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(200);
    expect((await live.refer('b')).statusCode).toBe(422);
    expect(await live.accepting()).toEqual([['a'], ['b']]);
    const made = await live.site.app.inject({ method: 'POST', url: `${url}/webhook_secret`, headers });
    expect(made.statusCode).toBe(200);
    expect(await live.offers('/services/b')).toEqual(['/referrals/new?service=b']);
    expect(await live.accepting()).toEqual([['a', 'b'], []]);
  });

  it('counts a disabled account at once', async () => {
    await live.disableProvider();
    expect(await live.accepting()).toEqual([['b'], ['a']]);
  });
});

describe('a test site', () => {
  it('offers every service, marked as a test', async () => {
    expect(await trial.offers('/services')).toHaveLength(2);
    expect(await trial.offers('/services/b')).toEqual(['/referrals/new?service=b']);
    expect((await trial.referrer.open('/services/b')).text).toContain(
      'on this test site you can try one out',
    );
    expect((await trial.referrer.open('/services/a')).text).not.toContain('try one out');
  });

  it('offers no referral to people who do not refer', async () => {
    const provider = await signedInBrowser(trial.site, { role: 'provider' });
    const { page } = await provider.open('/services/a');
    expect(page.querySelector('main a[href^="/referrals/new"]')).toBeNull();
  });
});
