import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { overwriteRoles } from '../../../test/accounts/stored.ts';
import { anAccount, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { mailsTo, subjectsTo } from '../../../test/network/mailbox.ts';
import { makeOperatorFixture, pathOf } from '../../../test/people/operator-fixture.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { aSystem } from '../../../test/people/systems.ts';
import { accountList } from '../../cli/commands/account/account-list.ts';
import {
  changeEmail,
  countOperatorsWhoCanSignIn,
  disableAccount,
  findAccount,
  findSystem,
  inviteAgain,
  listColleagues,
  listPossibleOwners,
  listSystemsWithoutOwner,
  resetPassword,
  setOrganisation,
  setRoles,
  transferSystem,
} from '../index.ts';
import { commandLineActor } from '../model/caller.ts';

const { site, operator, stored, lastEntry } = await makeOperatorFixture();
afterAll(() => site.close());
const reason = 'Left the surgery last week';

/** An organisation of the library with members. */
async function aSurgery() {
  const { organizationId, organizationName } = await aService(site.deps);
  const organisation = { name: organizationName, libraryOrganizationId: organizationId };
  const member = (given: Parameters<typeof anAccount>[1] = {}) =>
    anAccount(site.deps, { organisation, ...given });
  return { organisation, organizationName, member };
}

const mailSubjects = async (email: string) =>
  (await subjectsTo(site, email)).map((subject) => subject.split(' – ')[0]);
const formOf = (owner: { email: string }, organisation: string, more = {}) => ({
  name: 'EMIS Link',
  roles: 'referrer',
  organisation,
  owner: owner.email,
  ...more,
});
const make = (form: Record<string, string | string[]>) =>
  operator.send('/operator/accounts/new-system', form);

describe('an operator who makes a system account', () => {
  it('names who looks after it, who is told', async () => {
    const { organizationName, member } = await aSurgery();
    const owner = await member();
    const made = await make(formOf(owner, organizationName));
    expect(made.status, made.text).toBe(303);
    const id = /accounts\/([\w-]+)/.exec(String(made.location))![1]!;
    expect(await findSystem(site.deps.db, id)).toMatchObject({
      name: 'EMIS Link',
      roles: ['referrer'],
      organisation: organizationName,
      ownerId: owner.id,
      hasApiAccess: true,
    });
    expect(await lastEntry('system.created', { id })).toMatchObject({ actor: 'Olive Operator' });
    expect(await mailSubjects(owner.email)).toContain('You own a system account');
    const page = await operator.open(pathOf({ id }));
    expect(page.text).toContain('System account');
    expect(page.text).not.toContain('Two-step sign-in');
    expect((await operator.open('/operator/accounts')).page.toString()).toContain('System account');
  });

  it('hears of everything that is wrong', async () => {
    const { organizationName, member, organisation } = await aSurgery();
    const stranger = await anAccount(site.deps);
    const empty = await make({});
    expect(
      empty.page.querySelectorAll('.nhsuk-error-summary a').map((each) => each.getAttribute('href')),
    ).toEqual(['#name', '#roles', '#organisation', '#owner']);
    // Somebody of another organisation could read its referrals with the keys.
    for (const owner of [stranger, { email: 'nobody@example.org' }])
      expect((await make(formOf(owner, organizationName))).status).toBe(422);
    // So could a member who may not do what the system may.
    expect(
      (await make(formOf(await member(), organizationName, { roles: ['referrer', 'provider'] }))).status,
    ).toBe(422);
    const owner = await member();
    await aSystem(site, { organisation, ownerId: owner.id });
    const again = await make(formOf(owner, organizationName, { name: 'emis link' }));
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('has a system with this one')]);
  });

  it('may own it, and tells the people of the organisation', async () => {
    const { organizationName, member } = await aSurgery();
    const colleague = await member();
    expect((await make(formOf(operator, organizationName))).status).toBe(303);
    expect(await mailSubjects(colleague.email)).toEqual([
      'An operator owns a system account of your organisation',
    ]);
  });
});

describe('a system account', () => {
  it('has no way to sign in, and cannot get one', async () => {
    const { organisation, member } = await aSurgery();
    const { id } = await aSystem(site, { organisation, ownerId: (await member()).id });
    const { email } = await stored({ id });
    expect(email).toMatch(/@system\.invalid$/);
    const refusals = [
      () => inviteAgain(site.deps, commandLineActor, email),
      () => resetPassword(site.deps, commandLineActor, email, 'another long enough password'),
      () => changeEmail(site.deps, commandLineActor, { id }, 'somebody@example.org'),
      () => setOrganisation(site.deps, commandLineActor, { id }, { name: 'Elsewhere' }),
    ];
    for (const refused of refusals)
      await expect(refused()).rejects.toMatchObject({ kind: { type: 'not-for-systems' } });
    await expect(setRoles(site.deps, commandLineActor, { id }, ['operator'])).rejects.toMatchObject({
      errors: [{ pointer: '/roles' }],
    });
    for (const form of ['email', 'organisation', 'invitation', 'leave', 'leave-end', 'second-factors'])
      expect((await operator.open(pathOf({ id }, `/${form}`))).status, form).toBe(404);
    const browser = plainBrowser(site.app);
    await browser.post('/reset-password', { email });
    await browser.post('/signin', { email, password: 'a long enough password' });
    expect((await browser.get('/account')).statusCode).toBe(303);
    expect(await mailsTo(site, email)).toEqual([]);
    expect((await findAccount(site.deps.db, id))!.passwordHash).toBeNull();
  });

  it('is no colleague, no operator and no possible owner', async () => {
    const { organisation, member } = await aSurgery();
    const owner = await member();
    const { id } = await aSystem(site, { organisation, ownerId: owner.id });
    const account = await stored({ id });
    const { organisation: own, roles } = account;
    const ids = (people: readonly { id: string }[]) => people.map((each) => each.id);
    expect(ids(await listColleagues(site.deps.db, own!.id))).toEqual([owner.id]);
    expect(ids(await listPossibleOwners(site.deps.db, { organisationId: own!.id, roles }))).not.toContain(id);
    expect((await make(formOf(account, organisation.name, { name: 'Other' }))).status).toBe(422);
    const before = await countOperatorsWhoCanSignIn(site.deps.db, undefined);
    await expect(overwriteRoles(site.deps.db, id, ['operator'])).rejects.toThrow('accounts_system');
    expect(await countOperatorsWhoCanSignIn(site.deps.db, undefined)).toBe(before);
  });

  it('says that it is one in its token’s status and in lists', async () => {
    const { organisation, member } = await aSurgery();
    const { id, headers } = await aSystem(site, { organisation, ownerId: (await member()).id });
    const status = (await site.app.inject({ url: '/api/token/status', headers })).json();
    const name = `${organisation.name}’s system EMIS Link`;
    expect(status.account).toMatchObject({ id, name, type: 'system', role: 'referrer' });
    const person = await aTokenHolder(site.deps);
    const theirs = await site.app.inject({ url: '/api/token/status', headers: person.headers });
    expect(theirs.json().account.type).toBe('person');
    const { text, json } = await accountList.run({ platform: site.deps } as never, {} as never);
    expect(text).toContain(`@system.invalid (${name})`);
    expect(json).toContainEqual(expect.objectContaining({ id, name, type: 'system', state: 'active' }));
  });
});

describe('the owner of a system', () => {
  async function anOwnedSystem() {
    const surgery = await aSurgery();
    const owner = await signedInBrowser(site, { organisation: surgery.organisation, name: 'Ada Owner' });
    const system = await aSystem(site, { organisation: surgery.organisation, ownerId: owner.id });
    return { ...surgery, owner, system, path: `/system-accounts/${system.id}` };
  }

  it('makes, replaces and revokes its keys, and nobody else does', async () => {
    const { owner, system, path } = await anOwnedSystem();
    expect((await owner.open('/apikeys')).page.querySelector('a[href="/system-accounts"]')).toBeTruthy();
    expect((await owner.open('/system-accounts')).page.querySelector(`a[href="${path}"]`)?.text).toBe(
      'EMIS Link',
    );
    const made = await owner.send(`${path}/keys/new`, {
      name: 'Reception',
      scopes: 'referrals:read',
      networks: '',
      idle_days: '',
    });
    const token = made.page.querySelector('#refresh-token')!.getAttribute('value')!;
    expect(token).toMatch(/^onr_/);
    const refresh = (refreshToken: string) =>
      site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken } });
    const { access_token } = (await refresh(token)).json();
    const status = await site.app.inject({
      url: '/api/token/status',
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(status.json()).toMatchObject({ account: { id: system.id }, token: { key: 'Reception' } });
    // A new address of the key is told to the person who looks after it.
    expect(await mailSubjects(owner.email)).toContainEqual(
      expect.stringContaining('of the system EMIS Link'),
    );
    const keyPath = made.page.querySelector('a.nhsuk-button')!.getAttribute('href')!;
    expect(keyPath).toMatch(`${path}/keys/`);
    expect((await owner.open(keyPath)).page.toString()).not.toContain(token);
    const entries = await storedEntries(site.deps.db, { actorId: owner.id, action: 'key.created' });
    expect(entries).toMatchObject([{ subject_id: system.id, details: { key: 'Reception' } }]);

    const other = await signedInBrowser(site, { email: `${randomUUID()}@example.org` });
    for (const page of [path, keyPath, `${path}/keys/new`, `${path}/owner`, `${keyPath}/revoke`]) {
      expect((await other.open(page)).status, page).toBe(404);
      expect((await operator.open(page)).status, page).toBe(404);
    }
    expect((await other.send(`${keyPath}/revoke`, {})).status).toBe(404);
    const revoked = await owner.send(`${keyPath}/revoke`, {});
    expect(revoked.location).toBe(`${path}?done=key-revoked`);
    expect((await owner.open(`${path}?done=key-revoked`)).page.toString()).toContain('The key was revoked.');
    expect((await refresh(token)).statusCode).toBe(401);
  });

  it('hands it on to a colleague, and its keys go on working', async () => {
    const { owner, system, path, member } = await anOwnedSystem();
    const next = await member({ name: 'Ben Next' });
    const stranger = await anAccount(site.deps);
    expect((await owner.open(`${path}/owner`)).text).toContain('Ben Next');
    for (const id of ['', stranger.id, 'nobody'])
      expect((await owner.send(`${path}/owner`, { owner: id })).status, id).toBe(422);
    const done = await owner.send(`${path}/owner`, { owner: next.id });
    expect(done.location).toBe('/system-accounts?done=handed-on');
    expect((await owner.open(path)).status).toBe(404);
    expect(await mailSubjects(next.email)).toEqual(['You own a system account']);
    expect((await system.key.refresh()).statusCode).toBe(200);
    expect(await lastEntry('system.handed_on', system)).toMatchObject({
      actor: 'Ada Owner',
      details: { from: owner.id, to: next.id },
    });
  });

  it('gets a successor if they are disabled, move or lose the role', async () => {
    const changes = [
      (id: string) => disableAccount(site.deps, commandLineActor, { id }),
      (id: string) => setOrganisation(site.deps, commandLineActor, { id }, { name: `Other ${randomUUID()}` }),
      (id: string) => setRoles(site.deps, commandLineActor, { id }, ['provider']),
    ];
    for (const change of changes) {
      const { owner, system, member, organisation } = await anOwnedSystem();
      const invited = await member({ roles: ['provider'] });
      const next = await member();
      await change(owner.id);
      expect(await findSystem(site.deps.db, system.id)).toMatchObject({ ownerId: next.id, disabledAt: null });
      expect(await mailSubjects(next.email)).toEqual(['You own a system account']);
      expect(await mailSubjects(invited.email)).toEqual([]);
      expect((await system.key.refresh()).statusCode, organisation.name).toBe(200);
    }
  });

  it('leaves the system to the operators if nobody succeeds', async () => {
    const { owner, system, member } = await anOwnedSystem();
    await disableAccount(site.deps, commandLineActor, { id: owner.id });
    expect((await listSystemsWithoutOwner(site.deps.db)).map(({ id }) => id)).toContain(system.id);
    expect(await mailSubjects(operator.email)).toContain('A system account has no owner');
    const ownerPage = pathOf(system, '/owner');
    expect((await operator.open('/operator')).page.querySelector(`a[href="${ownerPage}"]`)).toBeTruthy();
    expect((await system.key.refresh()).statusCode).toBe(200);
    const next = await member({ name: 'Cleo Next' });
    expect((await operator.send(ownerPage, { owner: next.id, reason: 'No' })).status).toBe(422);
    expect((await operator.send(ownerPage, { owner: next.id, reason })).status).toBe(303);
    expect(await findSystem(site.deps.db, system.id)).toMatchObject({ ownerName: 'Cleo Next' });
    expect((await operator.open('/operator')).page.querySelector(`a[href="${ownerPage}"]`)).toBeNull();
    expect((await operator.open(pathOf(next))).text).toContain('EMIS Link');
    await expect(transferSystem(site.deps, commandLineActor, next.id, operator.id)).rejects.toMatchObject({
      kind: { type: 'not-found' },
    });
  });

  it('is told in place of the system', async () => {
    const { owner, system } = await anOwnedSystem();
    await setRoles(site.deps, commandLineActor, { id: owner.id }, ['referrer', 'provider']);
    const before = await mailSubjects(owner.email);
    await operator.send(pathOf(system, '/roles'), { roles: ['referrer', 'provider'], reason });
    const mails = await mailsTo(site, owner.email);
    expect(mails).toHaveLength(before.length + 1);
    expect(mails[0]!.text).toContain('The system account that you own: EMIS Link');
    expect(await mailsTo(site, (await stored(system)).email)).toEqual([]);
    // A role that its owner does not have is refused.
    await setRoles(site.deps, commandLineActor, { id: system.id }, ['referrer']);
    await setRoles(site.deps, commandLineActor, { id: owner.id }, ['referrer']);
    const refused = await operator.send(pathOf(system, '/roles'), { roles: ['provider'], reason });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The owner must be an operator');
  });
});
