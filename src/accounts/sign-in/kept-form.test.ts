import { parse } from 'node-html-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { anAccount, aService } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { countRows } from '../../../test/database/stored.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';

const site = await makeApp();
afterAll(() => site.close());
const organisation = { name: 'Infirmary Lane Surgery' };
const asha = await anAccount(site.deps, { organisation });
const colleague = await anAccount(site.deps, { organisation });
const { serviceId } = await aService(site.deps);

/** One browser, at which one person after another may sit. */
function aBrowser() {
  let cookie = '';
  const send = async (url: string, form: Record<string, string>) => {
    const answer = await site.app.inject({
      method: 'POST',
      url,
      headers: {
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      payload: new URLSearchParams(form).toString(),
    });
    const set = [answer.headers['set-cookie'] ?? []].flat()[0];
    if (set) cookie = set.split(';')[0]!;
    return { status: answer.statusCode, location: answer.headers.location, html: answer.body };
  };
  const signIn = ({ email, password }: typeof asha) => send('/signin', { email, password });
  return { send, signIn };
}

const written = {
  service: serviceId,
  family_name: 'Quillfeather',
  reasons: 'She is lonely.',
  urgency: 'routine',
};
const keptIn = (html: string) =>
  parse(html)
    .querySelectorAll('main form input')
    .map((each) => [each.getAttribute('name'), each.getAttribute('value')]);

/** Asha's form arrives after her session has ended. */
async function givenBack(after: number) {
  const browser = aBrowser();
  await browser.signIn(asha);
  site.clock.moveOn(after);
  const { status, html } = await browser.send('/referrals/new', written);
  expect(status).toBe(401);
  return { browser, html, kept: Object.fromEntries(keptIn(html)) as Record<string, string> };
}

describe('a form that is kept over a session that has ended', () => {
  it.each([[31 * minuteMs], [13 * hourMs]])('is sent by the same person, %i ms later', async (after) => {
    const { browser, html, kept } = await givenBack(after);
    expect(Object.keys(kept)).toEqual(['kept_form']);
    expect(html, 'somebody else may sit there').not.toMatch(/Quillfeather|lonely/);
    // A second attempt before anybody signs in keeps it as well.
    expect(Object.fromEntries(keptIn((await browser.send('/referrals/new', kept)).html))).toEqual(kept);
    await browser.signIn(asha);
    const { status, html: shown } = await browser.send('/referrals/new', kept);
    expect([status, shown]).toEqual([422, expect.stringContaining('value="Quillfeather"')]);
  });

  it('is gone, without a word, for another person in the browser', async () => {
    const { browser, kept } = await givenBack(31 * minuteMs);
    await browser.signIn(colleague);
    const { status, location, html } = await browser.send('/referrals/new', kept);
    expect([status, location]).toEqual([303, '/']);
    expect(html).not.toContain('Quillfeather');
    const changed = await browser.send('/referrals/new', { kept_form: `${kept.kept_form}x` });
    expect(changed.location).toBe('/');
  });

  it('is not filled into the form of another referral', async () => {
    const { browser, kept } = await givenBack(31 * minuteMs);
    await browser.signIn(asha);
    for (const other of [
      '/referrals/new?service=x',
      '/referrals/01a0c0de-0000-7000-8000-000000000000/edit',
    ]) {
      const { status, location, html } = await browser.send(other, kept);
      expect([status, location]).toEqual([303, '/']);
      expect(html).not.toContain('Quillfeather');
    }
  });

  it('is kept by the writer in the form if the session is unknown', async () => {
    const browser = plainBrowser(site.app);
    await browser.signIn(asha.email);
    const page = parse((await browser.get(`/referrals/new?service=${serviceId}`)).body);
    const written_by = page.querySelector('[name=written_by]')!.getAttribute('value')!;
    const { status, html } = await aBrowser().send('/referrals/new', { ...written, written_by });
    expect(status).toBe(401);
    const kept = Object.fromEntries(keptIn(html)) as Record<string, string>;
    const [hers, theirs] = [aBrowser(), aBrowser()];
    await hers.signIn(asha);
    await theirs.signIn(colleague);
    expect((await hers.send('/referrals/new', kept)).html).toContain('value="Quillfeather"');
    expect((await theirs.send('/referrals/new', kept)).location).toBe('/');
  });

  it('is not kept where nobody can tell whose it was', async () => {
    const { status, html } = await aBrowser().send('/referrals/new', written);
    expect([status, keptIn(html)]).toEqual([401, []]);
    expect(html).toContain('could not be kept');
    expect(html).not.toContain('Quillfeather');
  });

  it('leads back to its page of this site, and to no other site', async () => {
    const { baseUrl } = site.deps.settings;
    const linkFrom = async (referer: string) => {
      const answer = await site.app.inject({
        method: 'POST',
        url: '/referrals/new',
        headers: {
          referer,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        payload: new URLSearchParams(written).toString(),
      });
      const link = parse(answer.body).querySelector('main a')!;
      return [link.getAttribute('href'), link.text];
    };
    expect(await linkFrom(`${baseUrl}/referrals/new?service=${serviceId}`)).toEqual([
      `/signin?next=${encodeURIComponent(`/referrals/new?service=${serviceId}`)}`,
      'Sign in and go back to the form',
    ]);
    for (const other of ['https://elsewhere.example/signin', 'no address'])
      expect(await linkFrom(other)).toEqual(['/signin', 'Sign in']);
  });
});

describe('a form that somebody left open', () => {
  it('is neither saved nor sent for the next person at the browser', async () => {
    const browser = plainBrowser(site.app);
    await browser.signIn(asha.email);
    const open = parse((await browser.get(`/referrals/new?service=${serviceId}`)).body);
    const written_by = open.querySelector('[name=written_by]')!.getAttribute('value')!;
    const next = aBrowser();
    await next.signIn(colleague);
    const before = await countRows(site.deps.db, 'referrals');
    for (const button of [{ autosave: 'yes' }, { save_draft: 'yes' }, { find_practice: 'yes' }, {}])
      for (const writer of [written_by, `${written_by}x`, '']) {
        const { status, html } = await next.send('/referrals/new', {
          ...written,
          ...button,
          written_by: writer,
        });
        expect([status, html]).toEqual([403, expect.stringContaining('Somebody else opened this form')]);
        expect(html).not.toMatch(/Quillfeather|lonely/);
      }
    expect(await countRows(site.deps.db, 'referrals')).toBe(before);
  });
});
