import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { storeAccount, storedOrganisationNames, storePasskey } from '../../../test/accounts/stored.ts';
import { anAccount, aTokenHolder } from '../../../test/app/builders.ts';
import { makeOperatorFixture, pathOf } from '../../../test/people/operator-fixture.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { findSignInMethods } from '../../accounts/index.ts';

const minute = 60_000;

const { site, operator, stored, lastEntry } = await makeOperatorFixture();
afterAll(() => site.close());

const callWith = async (headers: Record<string, string>) =>
  (await site.app.inject({ url: '/api/token/status', headers })).statusCode;

const everyPage = (id: string) => [
  '/operator',
  '/operator/accounts',
  '/operator/accounts/new',
  '/operator/audit',
  ...[
    '',
    '/api-access',
    '/disabled',
    '/email',
    '/roles',
    '/organisation',
    '/invitation',
    '/second-factors',
  ].map((more) => pathOf({ id }, more)),
];

describe('changing an account', () => {
  it('switches API access off for a reason, and ends its tokens', async () => {
    const holder = await aTokenHolder(site.deps);
    expect((await operator.open(pathOf(holder))).text).toContain('ends their access tokens');
    expect(await callWith(holder.headers)).toBe(200);
    const form = { switch: 'off', reason: ' Their laptop was stolen. ' };
    expect(await operator.send(pathOf(holder, '/api-access'), form)).toMatchObject({
      status: 303,
      location: pathOf(holder, '?done=off'),
    });
    expect((await operator.open(pathOf(holder, '?done=off'))).text).toContain('API access was switched off');
    await expect.poll(() => callWith(holder.headers)).toBe(401);
    expect(await lastEntry('account.api_access_off', holder)).toMatchObject({
      outcome: 'done',
      actor: 'Olive Operator',
      address: '127.0.0.1',
      details: { reason: 'Their laptop was stolen.' },
    });
    // The same form again, from a second click or another tab, does not switch it back.
    await operator.send(pathOf(holder, '/api-access'), form);
    expect((await stored(holder)).hasApiAccess).toBe(false);
  });

  it('does nothing without a reason, and keeps what was typed', async () => {
    const holder = await aTokenHolder(site.deps);
    for (const reason of ['', '   ', 'x'.repeat(501)]) {
      const answer = await operator.send(pathOf(holder, '/api-access'), { switch: 'off', reason });
      expect(answer.status).toBe(422);
      expect(answer.page.querySelector('.nhsuk-error-summary a')!.getAttribute('href')).toBe('#reason');
      expect(answer.page.querySelector('textarea')!.text.trim()).toBe(reason.trim());
    }
    expect(
      (await operator.send(pathOf(holder, '/api-access'), { switch: 'of', reason: 'Tried for a test' }))
        .status,
    ).toBe(400);
    expect((await operator.send(pathOf(holder, '/disabled'), { reason: 'Tried for a test' })).status).toBe(
      400,
    );
    expect(
      (await operator.send(pathOf(holder, '/disabled'), { switch: 'disable', reason: 'a\0b' })).status,
    ).toBe(400);
    expect(await callWith(holder.headers)).toBe(200);
    expect(
      (
        await operator.send(pathOf(holder, '/api-access'), {
          switch: 'off',
          reason: `Left the surgery ${'😀'.repeat(483)}`,
        })
      ).status,
    ).toBe(303);
  });

  it('leaves tokens alone when API access is on already', async () => {
    const holder = await aTokenHolder(site.deps);
    await operator.send(pathOf(holder, '/api-access'), { switch: 'on', reason: 'To be sure' });
    expect(await callWith(holder.headers)).toBe(200);
  });

  it('signs the holder out when it is disabled, until enabled', async () => {
    const person = await signedInBrowser(site);
    await operator.send(pathOf(person, '/disabled'), { switch: 'disable', reason: 'Left the practice' });
    expect((await person.open('/referrals')).status).toBe(303);
    expect((await operator.open(pathOf(person))).text).toContain('Disabled');
    await operator.send(pathOf(person, '/disabled'), { switch: 'enable', reason: 'Came back from leave' });
    await person.signIn();
    expect((await person.open('/referrals')).status).toBe(200);
    expect(await lastEntry('account.enabled', person)).toMatchObject({
      details: { reason: 'Came back from leave' },
    });
  });
});

describe('inviting somebody', () => {
  it('makes an account with several roles, or shows mistakes', async () => {
    const typed = {
      name: 'New Colleague',
      email: 'new.colleague@example.org',
      organisation: 'Sarrowby Surgery',
    };
    const empty = await operator.open('/operator/accounts/new');
    const roles = empty.page.querySelectorAll('[name=roles]');
    expect(roles.filter((box) => box.hasAttribute('checked'))).toEqual([]);
    const wrong = await operator.send('/operator/accounts/new', { name: 'New Colleague', email: 'nonsense' });
    expect(wrong.status).toBe(422);
    const links = wrong.page
      .querySelectorAll('.nhsuk-error-summary a')
      .map((link) => link.getAttribute('href'));
    expect(links).toEqual(['#email', '#roles', '#organisation']);
    expect(wrong.text).toContain('Enter an email address in the right format, like name@example.org');
    expect(wrong.page.querySelector('#name')!.getAttribute('value')).toBe('New Colleague');

    const made = await operator.send('/operator/accounts/new', {
      ...typed,
      organisation_offered_for: typed.organisation,
      organisation_choice: 'new',
      roles: ['operator', 'referrer'],
      api_access: 'on',
    });
    expect(made.status).toBe(303);
    const id = /[0-9a-f-]{36}/.exec(made.location!)![0];
    expect(await stored({ id })).toMatchObject({
      roles: ['operator', 'referrer'],
      hasApiAccess: true,
      organisation: { name: 'Sarrowby Surgery' },
    });
    const page = await operator.open(pathOf({ id }));
    expect(page.text).toContain('it can be accepted until');
    expect((await operator.send(pathOf({ id }, '/invitation'), {})).status).toBe(303);

    const taken = await operator.send('/operator/accounts/new', { ...typed, roles: 'referrer' });
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('already')]);
    const provider = await operator.send('/operator/accounts/new', {
      ...typed,
      email: 'p@example.org',
      roles: 'provider',
    });
    expect([provider.status, provider.text]).toEqual([
      422,
      expect.stringContaining('library has no organisation'),
    ]);
  });

  it('makes a new organisation only where that was chosen', async () => {
    await anAccount(site.deps, { organisation: { name: 'Ferry Road Surgery' } });
    const typed = {
      name: 'Mo',
      email: 'mo@example.org',
      organisation: 'Fery Road Surgery',
      roles: 'referrer',
    };
    const invite = (more: object) => operator.send('/operator/accounts/new', { ...typed, ...more });
    const organisations = () => storedOrganisationNames(site.deps.db, 'Fer');
    const unchosen = await invite({});
    expect([unchosen.status, unchosen.text]).toEqual([
      422,
      expect.stringContaining('no organisation with exactly'),
    ]);
    const choices = unchosen.page.querySelectorAll('[name=organisation_choice]');
    expect(choices.map((each) => each.getAttribute('value'))).toEqual(
      expect.arrayContaining(['is:Ferry Road Surgery', 'new']),
    );
    const offered = { organisation_offered_for: typed.organisation };
    expect(choices[0]!.getAttribute('value')).toBe('is:Ferry Road Surgery');
    // A choice for one name does not count for another.
    const other = await invite({ ...offered, organisation_choice: 'new', organisation: 'Ferrry Road' });
    expect([other.status, await organisations()]).toEqual([422, ['Ferry Road Surgery']]);
    const made = await invite({ ...offered, organisation_choice: 'is:Ferry Road Surgery' });
    expect([made.status, await organisations()]).toEqual([303, ['Ferry Road Surgery']]);
    const id = /[0-9a-f-]{36}/.exec(made.location!)![0];
    expect(await stored({ id })).toMatchObject({ organisation: { name: 'Ferry Road Surgery' } });
    const moved = await operator.send(pathOf({ id }, '/organisation'), { organisation: 'Fery Road Surgery' });
    expect([moved.status, await organisations()]).toEqual([422, ['Ferry Road Surgery']]);
  });
});

describe('the account pages', () => {
  it('are only for operators, and tell others nothing', async () => {
    const account = await anAccount(site.deps);
    for (const role of ['referrer', 'provider'] as const) {
      const other = await signedInBrowser(site, { role });
      for (const url of [...everyPage(account.id), ...everyPage(randomUUID())]) {
        expect((await other.open(url)).status, url).toBe(403);
        if (url.split('/').length > 4)
          expect((await other.send(url, { switch: 'disable', reason: 'Tried for a test' })).status, url).toBe(
            403,
          );
      }
      expect((await other.send('/operator/audit/check', {})).status).toBe(403);
      expect((await other.send('/operator/accounts/new', {})).status).toBe(403);
    }
    expect((await stored(account)).disabledAt).toBeNull();
  });

  it('are “not found” for an account that does not exist', async () => {
    const missing = await operator.open(pathOf({ id: randomUUID() }));
    const nonsense = await operator.open('/operator/accounts/anything');
    expect([missing.status, nonsense.status]).toEqual([404, 404]);
    expect(
      (await operator.send(pathOf({ id: randomUUID() }, '/disabled'), { reason: 'Tried for a test' })).status,
    ).toBe(404);
  });

  it('change nothing some time after the sign-in', async () => {
    const person = await anAccount(site.deps);
    site.clock.moveOn(15 * minute + 1000);
    await operator.send(pathOf(person, '/disabled'), { switch: 'disable', reason: 'Tried for a test' });
    await operator.send(pathOf(person, '/roles'), { roles: 'operator' });
    expect(await stored(person)).toMatchObject({ disabledAt: null, roles: ['referrer'] });
    expect((await operator.open(pathOf(person))).status).toBe(200);
    await operator.signIn();
    expect((await operator.open(pathOf(person, '/roles'))).status).toBe(200);
  });

  it('remove the second factors of somebody who lost them', async () => {
    const person = await anAccount(site.deps);
    await storePasskey(site.deps.db, person.id);
    expect((await operator.open(pathOf(person))).text).toContain('A passkey');
    await operator.send(pathOf(person, '/second-factors'), { reason: 'Lost the security key' });
    const page = await operator.open(pathOf(person));
    expect(page.text).not.toContain('A passkey');
    expect(page.page.querySelector(`a[href$="/second-factors"]`)).toBeNull();
  });

  it('do not count idle sessions', async () => {
    const person = await signedInBrowser(site);
    expect((await findSignInMethods(site.deps.db, person.id, site.clock.now())).sessions).toBe(1);
    site.clock.moveOn(30 * minute);
    expect((await findSignInMethods(site.deps.db, person.id, site.clock.now())).sessions).toBe(0);
    await operator.signIn();
  });

  it('search the list by name, address and organisation', async () => {
    const name = `Zebedee ${randomUUID()}`;
    await anAccount(site.deps, { name, organisation: { name: `Zoo ${name}` } });
    for (const text of [name.toUpperCase(), `zoo ${name}`]) {
      const { page } = await operator.open(`/operator/accounts?${new URLSearchParams({ text })}`);
      expect(page.querySelectorAll('tbody tr')).toHaveLength(1);
    }
    expect((await operator.open('/operator/accounts?text=%25')).text).toContain('no accounts like that');
    for (let number = 1; number <= 60; number += 1)
      await storeAccount(site.deps.db, { email: `many-${number}@example.org`, name: 'One of many' });
    const seen: string[] = [];
    let next: string | undefined = '/operator/accounts?text=many-';
    while (next) {
      const { page } = await operator.open(next);
      seen.push(...page.querySelectorAll('tbody tr a').map((link) => link.getAttribute('href')!));
      next = page.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&');
    }
    expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
    expect((await operator.open('/operator/accounts?cursor=nonsense')).status).toBe(200);
  });

  it('say when keys were last used', async () => {
    const holder = await aTokenHolder(site.deps, { name: 'Keyholder' });
    await callWith(holder.headers);
    await expect
      .poll(async () => (await operator.open(pathOf(holder))).text)
      .toContain('from the IP address 127.0.0.1');
    const { page } = await operator.open('/operator/accounts?text=keyholder');
    expect(page.querySelector('tbody')!.text).toContain('21 Nov');
  });
});
