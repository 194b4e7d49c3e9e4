import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { linkIn, mailsTo } from '../../../test/network/mailbox.ts';
import { anInvitation, refusalOf } from '../../../test/people/invitations.ts';
import { pageVisitor, type Visit } from '../../../test/people/page-visitor.ts';
import { siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { resetPassword } from '../passwords/change-password.ts';
import type { Invitation } from '../people/create-account.ts';
import { inviteAgain } from '../people/invite-account.ts';
import { disableAccount, enableAccount, setApiAccess } from '../people/set-access.ts';
import { useLink } from './links.ts';

let site: TestApp;
let address: string;
beforeAll(async () => {
  site = await makeApp();
  address = await site.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => site.close());

const password = 'walnut bicycle teapot';
const days = (count: number) => count * 24 * 60 * 60_000;
const visitor = () => pageVisitor(address, site.deps.settings.baseUrl);

const invited = (given?: Partial<Invitation>) => anInvitation(site, given);

async function choose(link: string, chosen = password, who = visitor()): Promise<Visit> {
  return who.submit(await who.visit(link), link, { password: chosen });
}

const ended = 'This link no longer works';

describe('an invitation', () => {
  it('lets somebody choose a password and signs them in', async () => {
    const { email, link } = await invited();
    expect(link).toMatch(/^\/invitation\/[\w-]{43}$/);
    const who = visitor();
    const page = await who.visit(link);
    expect(page.text).toContain(email);
    expect(page.headers.get('referrer-policy')).toBe('strict-origin');
    const home = await who.submit(page, link, { password });
    expect(home.url).toBe('/');
    expect(home.html).toContain('Asha Patel');
    const again = await visitor().signIn({ email, password });
    expect(again.url).toBe('/');
    const entries = await storedEntries(site.deps.db, {});
    const own = entries.filter((entry) => entry.actor_name === 'Asha Patel');
    expect(own.slice(0, 2)).toMatchObject([
      { action: 'account.invitation_accepted' },
      { action: 'session.started', details: { method: 'invitation' } },
    ]);
  });

  it('is not used up by a mail filter that opens the link first', async () => {
    const { link } = await invited();
    for (const method of ['GET', 'HEAD', 'GET'] as const)
      expect((await site.app.inject({ method, url: link })).statusCode).toBe(200);
    expect((await choose(link)).url).toBe('/');
  });

  it('works once; used, expired and made-up links look the same', async () => {
    const used = await invited();
    await choose(used.link);
    const late = await invited();
    site.clock.moveOn(days(7));
    const pages = await Promise.all(
      [used.link, late.link, `/invitation/${'a'.repeat(43)}`, '/invitation/short'].map((link) =>
        visitor().visit(link),
      ),
    );
    for (const page of pages) {
      expect(page.status).toBe(404);
      expect(page.text).toContain(ended);
      expect(page.html).toBe(pages[0]!.html);
    }
  });

  it('works until the end of its week', async () => {
    const { link } = await invited();
    site.clock.moveOn(days(7) - 1);
    expect((await choose(link)).url).toBe('/');
  });

  it('signs in one of twenty who use it at the same time', async () => {
    const { link } = await invited();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        site.app.inject({
          method: 'POST',
          url: link,
          payload: new URLSearchParams({ password }).toString(),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            origin: site.deps.settings.baseUrl,
          },
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, ...Array(19).fill(404)]);
    expect(answers.filter(({ headers }) => headers['set-cookie'])).toHaveLength(1);
  });

  it('is used up by the outside provider, too', async () => {
    const { link } = await invited();
    const secret = link.split('/').at(-1)!;
    const use = () => inTransaction(site.deps.db, (trx) => useLink(trx, site.deps, 'invitation', secret));
    expect((await use()).name).toBe('Asha Patel');
    expect(await refusalOf(use())).toBe('link-ended');
    expect((await visitor().visit(link)).text).toContain(ended);
  });

  it('is replaced by a newer one', async () => {
    const { email, link } = await invited();
    await inviteAgain(site.deps, siteActor, email.toUpperCase());
    const newer = linkIn((await mailsTo(site, email))[0]);
    expect(newer).not.toBe(link);
    expect((await visitor().visit(link)).text).toContain(ended);
    expect((await choose(newer)).url).toBe('/');
  });

  it('ends once the account is disabled or has a password', async () => {
    const off = await invited();
    await disableAccount(site.deps, siteActor, off.email);
    expect((await visitor().visit(off.link)).text).toContain(ended);
    expect(await refusalOf(inviteAgain(site.deps, siteActor, off.email))).toBe('not-to-be-invited');
    await enableAccount(site.deps, siteActor, off.email);
    expect((await visitor().visit(off.link)).text).toContain(ended);
    const set = await invited();
    await resetPassword(site.deps, siteActor, set.email, password);
    expect((await visitor().visit(set.link)).text).toContain(ended);
  });

  it('stays open when API access is switched on', async () => {
    const { email, link } = await invited();
    await setApiAccess(site.deps, siteActor, email, { isAllowed: true });
    expect((await choose(link)).url).toBe('/');
  });

  it('signs nobody in before the password is chosen', async () => {
    const { email } = await invited();
    for (const guess of ['', 'null', password])
      expect((await visitor().signIn({ email, password: guess })).status, guess).toBe(422);
  });

  it('ends the session that the browser had', async () => {
    const other = await anAccount(site.deps);
    const who = visitor();
    await who.signIn(other);
    const before = [...who.cookies];
    const { link } = await invited();
    expect((await choose(link, password, who)).html).toContain('Asha Patel');
    const thief = visitor();
    for (const [name, value] of before) thief.cookies.set(name, value);
    expect((await thief.visit('/apikeys')).url).toMatch(/^\/signin/);
  });

  it.each([
    ['too short', 'must have 15 characters or more'],
    ['passwordpassword', 'must be harder to guess'],
    ['Asha Patel Asha Patel', 'must be harder to guess'],
    ['Onward test site!', 'must be harder to guess'],
  ])('refuses a weak password (%s) and does not show it', async (chosen, why) => {
    const { link } = await invited();
    const page = await choose(link, chosen);
    expect(page.status).toBe(422);
    expect(page.page.querySelector('title')?.text).toMatch(/^Error: /);
    expect(page.page.querySelector('.nhsuk-error-summary')?.text).toContain(why);
    expect(page.html).not.toContain(chosen);
    expect(page.headers.get('referrer-policy')).toBe('strict-origin');
    expect((await choose(link)).url).toBe('/');
  });
});
