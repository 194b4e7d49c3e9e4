import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removePassword, storePasskey } from '../../../test/accounts/stored.ts';
import { anAccount } from '../../../test/app/builders.ts';
import { countRows } from '../../../test/database/stored.ts';
import { subjectsTo } from '../../../test/network/mailbox.ts';
import {
  header,
  link,
  type OidcPeople,
  openOidcSite,
  type Person,
  unlink,
  type Visit,
} from '../../../test/people/oidc-people.ts';
import { pageVisitor } from '../../../test/people/page-visitor.ts';
import { siteActor } from '../../audit/index.ts';
import { disableAccount } from '../people/set-access.ts';

const minute = 60_000;

let people: OidcPeople;
let site: OidcPeople['site'];
let provider: OidcPeople['provider'];
let baseUrl: OidcPeople['baseUrl'];
let personCalled: OidcPeople['personCalled'];
let aLinkedPerson: OidcPeople['aLinkedPerson'];
let auditOf: OidcPeople['auditOf'];
beforeAll(async () => {
  people = await openOidcSite();
  ({ site, provider, baseUrl, personCalled, aLinkedPerson, auditOf } = people);
});
afterAll(() => people.close());

describe('signing in with the provider', () => {
  it('leads to the wanted page, and to no other site', async () => {
    await aLinkedPerson('beth');
    for (const [next, landed] of [
      ['/services?query=walks', '/services?query=walks'],
      ['https://evil.example/', '/'],
      ['//evil.example/', '/'],
      ['/\\evil.example/', '/'],
    ]) {
      const { url } = await personCalled('beth').visit(`/signin/oidc?next=${encodeURIComponent(next!)}`);
      expect(url).toBe(landed);
    }
  });

  it('shows a stranger what to do, and makes no account', async () => {
    const count = () => countRows(site.deps.db, 'accounts');
    const before = await count();
    const stranger = personCalled('nobody-we-know');
    const visit = await stranger.visit('/signin/oidc');
    expect(visit.status).toBe(403);
    expect(visit.text).toContain('No account here is linked to this sign-in yet');
    expect(visit.text).toContain('Ask the people who run Onward test site');
    expect((await stranger.visit('/apikeys')).url).toBe('/signin?next=%2Fapikeys');
    expect(await count()).toBe(before);
  });

  it('never finds an account by its email address', async () => {
    const { email } = await anAccount(site.deps);
    expect((await personCalled(email).visit('/signin/oidc')).status).toBe(403);
  });

  it('shows a disabled account the page that a stranger gets', async () => {
    const withoutReference = ({ text }: Visit) => text.replace(/this reference: .*/, '');
    const stranger = await personCalled('another-stranger').visit('/signin/oidc');
    const { account } = await aLinkedPerson('carl');
    await disableAccount(site.deps, siteActor, account.email, 'left');
    const disabled = await personCalled('carl').visit('/signin/oidc');
    expect([disabled.status, withoutReference(disabled)]).toEqual([403, withoutReference(stranger)]);
    expect(await auditOf(account.id)).toEqual(['identity.linked done', 'session.started refused']);
  });

  it('ends the session that the browser had', async () => {
    const { person } = await aLinkedPerson('dora');
    const before = person.cookies.get('onward-session')!;
    await person.visit('/signin/oidc');
    const old = pageVisitor(baseUrl);
    old.cookies.set('onward-session', before);
    expect((await old.visit('/apikeys')).url).toContain('/signin');
    expect((await person.visit('/account/identities')).status).toBe(200);
  });

  it('opens the keys only after a recent sign-in there', async () => {
    await aLinkedPerson('eve');
    const person = personCalled('eve');
    provider.state.somebody = { subject: 'eve', signedInSecondsAgo: 3600 };
    expect((await person.visit('/signin/oidc')).url).toBe('/');
    expect((await person.visit('/apikeys')).url).toBe('/signin?next=%2Fapikeys');

    // A provider that was asked for a new sign-in, but returns the old one.
    provider.changeClaims({ auth_time: provider.seconds() - 3600 });
    const stale = await person.visit('/signin/oidc?next=/apikeys');
    expect([stale.status, stale.text.split('\n')[0]]).toEqual([403, 'You have to sign in once more']);
    provider.changeClaims({ auth_time: undefined });
    expect((await person.visit('/signin/oidc?next=/apikeys')).status).toBe(403);
    provider.state.tamper = {};

    provider.state.somebody = { subject: 'eve' };
    expect((await person.visit('/signin/oidc?next=/apikeys')).url).toBe('/apikeys');
  });

  it('takes a sign-in there of the last twelve hours', async () => {
    await aLinkedPerson('faye');
    const now = provider.seconds();
    const hoursAndTen = (hours: number) => now - (hours * 60 + 10) * 60;
    for (const [auth_time, status] of [
      [hoursAndTen(12), 200],
      [hoursAndTen(12) - 1, 403],
      [hoursAndTen(24 * 30), 403],
    ] as const) {
      provider.changeClaims({ iat: now, auth_time });
      const visit = await personCalled('faye').visit('/signin/oidc');
      expect([now - auth_time, visit.status, visit.url === '/']).toEqual([
        now - auth_time,
        status,
        status === 200,
      ]);
      if (status === 403) expect(visit.text).toContain('more than 12 hours ago');
    }
    provider.state.tamper = {};
  });

  it('treats a sign-in without a time as long ago', async () => {
    await aLinkedPerson('fred');
    const person = personCalled('fred');
    provider.changeClaims({ auth_time: undefined });
    expect((await person.visit('/signin/oidc')).url).toBe('/');
    provider.state.tamper = {};
    expect((await person.visit('/apikeys')).url).toBe('/signin?next=%2Fapikeys');
  });
});

async function startLink(person: Person): Promise<string> {
  const goOn = await person.submit(await person.visit('/account/identities'), '/account/identities/link', {});
  return goOn.page.querySelector('main a.nhsuk-button')!.getAttribute('href')!;
}

describe('linking an account', () => {
  it('lets its holder sign in with the provider from then on', async () => {
    const { account } = await aLinkedPerson('asha');
    const elsewhere = personCalled('asha');
    const home = await elsewhere.visit('/signin/oidc');
    expect([home.url, header(home)]).toEqual(['/', expect.stringContaining('asha')]);
    expect((await elsewhere.visit('/account/identities')).text).toContain('Last used on 21 November 2026');
    expect(await auditOf(account.id)).toEqual(['identity.linked done', 'session.started done']);
    expect(await subjectsTo(site, account.email)).toHaveLength(1);
  });

  it('links one person at the provider to one account', async () => {
    await aLinkedPerson('gwen');
    const other = await anAccount(site.deps);
    const person = personCalled('gwen');
    await person.signIn(other);
    const refused = await link(person);
    expect([refused.status, refused.text.split('\n')[0]]).toEqual([409, 'This sign-in cannot be linked']);
    expect(await auditOf(other.id)).toEqual(['identity.linked refused']);
  });

  it('links an account once to a provider', async () => {
    const { account, person } = await aLinkedPerson('hana');
    const page = await person.visit('/account/identities');
    expect(() => person.submit(page, '/account/identities/link', {})).toThrow('no form');

    const tabs = pageVisitor(baseUrl);
    await tabs.signIn(await anAccount(site.deps));
    const [first, second] = [await startLink(tabs), await startLink(tabs)];
    provider.state.somebody = { subject: 'hana-2' };
    expect((await tabs.visit(await provider.signInAt(first))).status).toBe(200);
    provider.state.somebody = { subject: 'hana-3' };
    expect((await tabs.visit(await provider.signInAt(second))).status).toBe(409);
    expect((await auditOf(account.id)).length).toBe(1);
  });

  it('needs the same person signed in until the end', async () => {
    const account = await anAccount(site.deps);
    const person = personCalled('ivan');
    await person.signIn(account);
    const address = await startLink(person);
    await person.submit(await person.visit('/'), '/signout', {});
    expect((await person.visit(address)).status).toBe(400);

    await person.signIn(account);
    const another = await startLink(person);
    await person.signIn(await anAccount(site.deps));
    expect((await person.visit(another)).status).toBe(400);
    expect((await personCalled('ivan').visit('/signin/oidc')).status).toBe(403);
  });

  it('needs a recent sign-in, as unlinking does', async () => {
    const { person } = await aLinkedPerson('jude');
    const other = personCalled('jude-2');
    await other.signIn(await anAccount(site.deps));
    const page = await other.visit('/account/identities');
    site.clock.moveOn(16 * minute);
    const signIn = /^\/signin\?next=%2Faccount%2Fidentities(%3Funsent_form%3D[0-9a-f-]+)?(&|$)/;
    expect((await unlink(person)).url).toMatch(signIn);
    expect((await other.submit(page, '/account/identities/link', {})).url).toMatch(signIn);
  });
});

describe('removing a link', () => {
  it('lets the provider sign in nobody any more', async () => {
    const { account, person } = await aLinkedPerson('kim');
    expect((await unlink(person)).text).toContain('No sign-in of another organisation is linked');
    expect((await personCalled('kim').visit('/signin/oidc')).status).toBe(403);
    expect(await auditOf(account.id)).toEqual(['identity.linked done', 'identity.unlinked done']);
  });

  it('is refused for the last way to sign in', async () => {
    const { account, person } = await aLinkedPerson('lena');
    await removePassword(site.deps.db, account.id);
    const refused = await unlink(person);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('Add a password or a passkey'),
    ]);
    await storePasskey(site.deps.db, account.id);
    expect((await unlink(person)).status).toBe(200);
  });

  it('is refused for somebody else’s link', async () => {
    const { person } = await aLinkedPerson('mona');
    const id = (await person.visit('/account/identities')).page
      .querySelector('input[name=id]')!
      .getAttribute('value')!;
    const { person: thief } = await aLinkedPerson('mallory');
    const page = await thief.visit('/account/identities');
    const statusFor = async (guess: string) =>
      (await thief.submit(page, '/account/identities/unlink', { id: guess })).status;
    expect(await Promise.all([id, 'not-an-id', '', '\0'].map(statusFor))).toEqual([404, 404, 404, 400]);
    expect((await person.visit('/account/identities')).text).toContain('Remove the link');
  });
});
