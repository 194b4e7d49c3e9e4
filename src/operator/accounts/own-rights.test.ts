import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aService } from '../../../test/app/builders.ts';
import { mailsTo } from '../../../test/network/mailbox.ts';
import { makeOperatorFixture, pathOf } from '../../../test/people/operator-fixture.ts';
import { commandLineActor, setOrganisation, setRoles } from '../../accounts/index.ts';

const { site, operator, stored, lastEntry } = await makeOperatorFixture();
let other: Awaited<ReturnType<typeof anAccount>>;
beforeAll(async () => {
  other = await anAccount(site.deps, { role: 'operator', name: 'Oscar Operator' });
});
afterAll(() => site.close());

const reason = 'New job at the surgery';
const lastMail = async ({ email }: { email: string }) => (await mailsTo(site, email))[0];

describe('an operator’s own account', () => {
  it('keeps its roles and organisation whatever is sent', async () => {
    const place = await aService(site.deps);
    for (const [page, form] of [
      ['/roles', { roles: ['operator', 'provider'], reason }],
      ['/organisation', { organisation: place.organizationName, reason }],
    ] as [string, Record<string, string | string[]>][]) {
      expect((await operator.open(pathOf(operator, page))).status).toBe(403);
      const refused = await operator.send(pathOf(operator, page), form);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining('You cannot change your own roles or organisation'),
      ]);
    }
    expect(await stored(operator)).toMatchObject({ roles: ['operator'], organisation: null });
    expect(await lastEntry('account.roles_changed', operator)).toMatchObject({
      outcome: 'refused',
      details: { refused: 'own-rights' },
    });
  });

  it('offers no form to change them; another account does', async () => {
    const links = async (id: string) =>
      (await operator.open(pathOf({ id }))).page
        .querySelectorAll('.nhsuk-summary-list__actions a')
        .map((link) => link.getAttribute('href')!.split('/').at(-1));
    expect(await links(operator.id)).not.toEqual(expect.arrayContaining(['roles']));
    expect(await links(operator.id)).not.toEqual(expect.arrayContaining(['organisation']));
    expect(await links(other.id)).toEqual(expect.arrayContaining(['roles', 'organisation']));
  });

  it('is changed by another operator or at the command line', async () => {
    await setRoles(site.deps, commandLineActor, { id: operator.id }, ['operator', 'referrer']);
    await setRoles(site.deps, { id: other.id, name: 'Oscar' }, { id: operator.id }, ['operator'], reason);
    expect((await stored(operator)).roles).toEqual(['operator']);
  });
});

describe('a change of somebody’s rights', () => {
  it('needs a reason of two words', async () => {
    const person = await anAccount(site.deps);
    for (const typed of ['', 'x', 'Promotion!', 'a b c d', '. . . . . .']) {
      const form = { roles: 'operator', reason: typed };
      expect((await operator.send(pathOf(person, '/roles'), form)).status, typed).toBe(422);
    }
    const moved = await operator.send(pathOf(person, '/organisation'), { organisation: 'Elm Surgery' });
    expect(moved.status).toBe(422);
    expect((await stored(person)).roles).toEqual(['referrer']);
  });

  it('tells the holder and the other operators of roles', async () => {
    const person = await anAccount(site.deps, { name: 'Pat Promoted' });
    const before = (await mailsTo(site, operator.email)).length;
    await operator.send(pathOf(person, '/roles'), { roles: ['referrer', 'operator'], reason });
    const told = await lastMail(person);
    expect(told?.subject).toContain('The roles of your account were changed');
    expect(told?.text).toContain('Roles before: referrer\nRoles now: operator, referrer');
    const notice = await lastMail(other);
    expect(notice?.subject).toContain('An operator changed the roles of an account');
    for (const said of [
      'Olive Operator',
      'Pat Promoted',
      person.email,
      'Roles now: operator, referrer',
      reason,
    ])
      expect(notice?.text).toContain(said);
    expect(await mailsTo(site, operator.email)).toHaveLength(before);
    expect(await lastEntry('account.roles_changed', person)).toMatchObject({ details: { reason } });
    // The same once more changes nothing and tells nobody.
    await operator.send(pathOf(person, '/roles'), { roles: ['referrer', 'operator'], reason });
    expect(await mailsTo(site, person.email)).toHaveLength(1);
  });

  it('tells the holder and the others of the organisation', async () => {
    const place = await aService(site.deps);
    const person = await anAccount(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
    const form = { organisation: place.organizationId, reason };
    await operator.send(pathOf(person, '/organisation'), form);
    const said = `Organisation before: Infirmary Lane Surgery\nOrganisation now: ${place.organizationName}`;
    expect((await lastMail(person))?.text).toContain(said);
    expect((await lastMail(other))?.text).toContain(said);
    expect(await lastEntry('account.organisation_changed', person)).toMatchObject({ details: { reason } });
  });

  it('tells of the email address, too', async () => {
    const person = await anAccount(site.deps);
    const email = `${randomUUID()}@example.org`;
    await operator.send(pathOf(person, '/email'), { email, reason });
    expect((await lastMail(other))?.text).toContain(`Address now: ${email}`);
  });

  it('tells the holder and the others of the second factors', async () => {
    const person = await anAccount(site.deps, { name: 'Pat Phoneless' });
    const page = pathOf(person, '/second-factors');
    expect((await operator.open(page)).page.querySelector('textarea#reason')).not.toBeNull();
    const before = (await mailsTo(site, person.email)).length;
    for (const typed of ['', 'lost', 'Telephone!']) {
      const refused = await operator.send(page, { reason: typed });
      const summary = refused.page.querySelector('.nhsuk-error-summary a');
      expect([refused.status, summary?.getAttribute('href')], typed).toEqual([422, '#reason']);
    }
    expect(await mailsTo(site, person.email)).toHaveLength(before);

    const why = 'Lost the telephone, rang back';
    expect((await operator.send(page, { reason: why })).location).toBe(
      pathOf(person, '?done=second-factors'),
    );
    expect((await lastMail(person))?.subject).toContain('Two-step sign-in was turned off for your account');
    const notice = await lastMail(other);
    expect(notice?.subject).toContain('An operator turned off two-step sign-in for an account');
    for (const said of ['Olive Operator', 'Pat Phoneless', person.email, why])
      expect(notice?.text).toContain(said);
    expect(await lastEntry('second_factor.reset', person)).toMatchObject({ details: { reason: why } });
  });

  it('tells only the holder if the command line made it', async () => {
    const person = await anAccount(site.deps);
    const before = (await mailsTo(site, other.email)).length;
    await setOrganisation(site.deps, commandLineActor, { id: person.id }, { name: 'Elm Surgery' });
    expect(await mailsTo(site, person.email)).toHaveLength(1);
    expect(await mailsTo(site, other.email)).toHaveLength(before);
  });
});

describe('a second account of an operator', () => {
  it('is told to the other operators', async () => {
    const place = await aService(site.deps);
    const email = `${randomUUID()}@example.org`;
    await operator.send('/operator/accounts/new', {
      name: 'Olive Elsewhere',
      email,
      roles: 'provider',
      organisation: place.organizationName,
    });
    const notice = await lastMail(other);
    expect(notice?.subject).toContain('An operator invited somebody');
    for (const said of ['Olive Operator', email, 'Roles: provider', place.organizationName])
      expect(notice?.text).toContain(said);
  });
});
