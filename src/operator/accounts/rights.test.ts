import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import {
  lockAccount,
  removePassword,
  setEmail,
  setPasswordHash,
  storePasskey,
} from '../../../test/accounts/stored.ts';
import { anAccount, aService, aTokenHolder, testPassword } from '../../../test/app/builders.ts';
import { isNameFree, waitingForLocks } from '../../../test/database/locks.ts';
import { linkIn, mailsTo, subjectsTo } from '../../../test/network/mailbox.ts';
import { makeOperatorFixture, pathOf } from '../../../test/people/operator-fixture.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import {
  commandLineActor,
  disableAccount,
  enableAccount,
  findAccount,
  listOperators,
  removeSecondFactors,
  setRoles,
} from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';

const { site, operator, stored, lastEntry } = await makeOperatorFixture();
afterAll(() => site.close());
const reason = 'New job at the surgery';

describe('the rights of an account', () => {
  it('change with its roles from the next call, and end nothing', async () => {
    const holder = await aTokenHolder(site.deps, { role: 'referrer' });
    const roleOf = async () => {
      const answer = await site.app.inject({ url: '/api/token/status', headers: holder.headers });
      return answer.json().account?.role;
    };
    expect(await roleOf()).toBe('referrer');
    await operator.send(pathOf(holder, '/roles'), { roles: ['operator', 'referrer'], reason });
    await expect.poll(roleOf).toBe('operator,referrer');
    expect(await lastEntry('account.roles_changed', holder)).toMatchObject({
      details: { from: ['referrer'], to: ['operator', 'referrer'] },
    });
    const none = await operator.send(pathOf(holder, '/roles'), { reason });
    expect(none.status).toBe(422);
    expect(none.text).toContain('Select at least one role');
    await operator.send(pathOf(holder, '/roles'), { roles: ['referrer', 'emperor'], reason });
    await expect.poll(roleOf).toBe('referrer');
  });

  it('need an organisation of the library for a provider', async () => {
    const place = await aService(site.deps);
    const person = await anAccount(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
    const refused = await operator.send(pathOf(person, '/roles'), { roles: 'provider', reason });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('A provider’s organisation must be in'),
    ]);
    expect(await lastEntry('account.roles_changed', person)).toMatchObject({ outcome: 'refused' });

    await operator.send(pathOf(person, '/organisation'), { organisation: place.organizationName, reason });
    await operator.send(pathOf(person, '/roles'), { roles: 'provider', reason });
    expect(await stored(person)).toMatchObject({
      roles: ['provider'],
      organisation: { libraryOrganizationId: place.organizationId },
    });
    for (const organisation of ['Nobody knows them', '', 'x'.repeat(201)]) {
      const again = await operator.send(pathOf(person, '/organisation'), { organisation, reason });
      expect(again.status).toBe(422);
      expect(again.page.querySelector('#organisation')!.getAttribute('value')).toBe(organisation);
    }
    await operator.send(pathOf(person, '/organisation'), { organisation: place.organizationId, reason });
    expect((await stored(person)).organisation?.name).toBe(place.organizationName);
  });

  it('always leave one operator who can sign in', async () => {
    const { db } = site.deps;
    const others = await anAccount(site.deps, { role: 'operator' });
    const second = await signedInBrowser(site, { role: 'operator' });
    await disableAccount(site.deps, commandLineActor, others.email);
    // An operator who never accepted the invitation does not count.
    await removePassword(db, others.id);
    await enableAccount(site.deps, commandLineActor, others.email);
    const known = [operator.id, second.id, others.id];
    for (const { email } of await listOperators(db, { except: known }))
      await disableAccount(site.deps, commandLineActor, email);

    // The two disable each other at the same moment: one of them stays.
    const away = { switch: 'disable', reason: 'Tried for a test' };
    const [a, b] = await Promise.all([
      operator.send(pathOf(second, '/disabled'), away),
      second.send(pathOf(operator, '/disabled'), away),
    ]);
    // The loser’s session may end just then; the redirect to the sign-in page has the same status.
    const done = [second, operator].map(
      (each, place) => [a, b][place]!.location === pathOf(each, '?done=disabled'),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    const [winner, loser] = done[0] ? [operator, second] : [second, operator];
    const refused = await winner.send(pathOf(winner, '/disabled'), away);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('Nobody could run the site'),
    ]);
    expect(await lastEntry('account.disabled', winner)).toMatchObject({
      outcome: 'refused',
      details: { refused: 'last-operator' },
    });
    // The command line is told, and shuts out a stolen account only if its user says so.
    const shutOut = (mustLeaveOperator: boolean) =>
      disableAccount(site.deps, commandLineActor, winner.email, undefined, { mustLeaveOperator });
    await expect(shutOut(true)).rejects.toMatchObject({
      kind: { type: 'last-operator' },
      detail: expect.stringContaining('--leaves-no-operator'),
    });
    await shutOut(false);
    await enableAccount(site.deps, commandLineActor, winner.email);
    await winner.signIn();
    // The only operator keeps a passkey that is needed to sign in.
    const { passwordHash } = (await findAccount(db, winner.id))!;
    await storePasskey(db, winner.id);
    // With a password too, because it may be too short to stand alone.
    expect((await winner.send(pathOf(winner, '/second-factors'), { reason })).status).toBe(409);
    await removePassword(db, winner.id);
    expect((await winner.send(pathOf(winner, '/second-factors'), { reason })).status).toBe(409);
    expect(await lastEntry('second_factor.reset', winner)).toMatchObject({
      outcome: 'refused',
      details: { refused: 'last-operator' },
    });
    await removeSecondFactors(site.deps, commandLineActor, winner.email.toUpperCase());
    await setPasswordHash(db, winner.id, passwordHash!);
    await winner.signIn();
    expect((await stored(winner)).roles).toEqual(['operator']);
    await enableAccount(site.deps, commandLineActor, loser.email);
    await loser.signIn();
    // It is allowed while another operator is left.
    await setRoles(site.deps, { id: loser.id, name: 'x' }, { id: winner.id }, ['referrer']);
    await setRoles(site.deps, commandLineActor, { id: winner.id }, ['operator']);
  });

  it('are changed by one operator at a time', async () => {
    const other = await anAccount(site.deps, { role: 'operator' });
    const { removal, free } = await inTransaction(site.deps.db, async (trx) => {
      await lockAccount(trx, other.id);
      const removal = operator.send(pathOf(other, '/second-factors'), { reason });
      await expect.poll(() => waitingForLocks(site.deps.db)).toBe(1);
      // If the lock were taken already, disabling this account and the removal would wait for each other.
      return { removal, free: await isNameFree(trx, 'operators') };
    });
    expect(free).toBe(true);
    expect((await removal).status).toBe(303);
  });
});

describe('the email address of an account', () => {
  it('is changed for a reason, ends the old one, and both are told', async () => {
    const person = await signedInBrowser(site, { name: 'Married Name' });
    const email = `${randomUUID()}@example.org`;
    const token = (await person.open('/apikeys')).page.querySelector('#access-token')!.getAttribute('value');
    await person.send('/reset-password', { email: person.email });
    const link = linkIn((await mailsTo(site, person.email))[0]);
    const page = pathOf(person, '/email');
    expect((await operator.open(pathOf(person))).page.querySelector(`a[href="${page}"]`)).not.toBeNull();

    for (const [form, status, wrong] of [
      [{ email: 'nonsense', reason: 'Married last week' }, 422, '#email'],
      [{ email, reason: '' }, 422, '#reason'],
      [{ email: operator.email.toUpperCase(), reason: 'Married last week' }, 409, undefined],
    ] as const) {
      const refused = await operator.send(page, form);
      const summary = refused.page.querySelector('.nhsuk-error-summary');
      expect([refused.status, summary?.querySelector('a')?.getAttribute('href')]).toEqual([status, wrong]);
      expect(refused.page.querySelector('#email')!.getAttribute('value')).toBe(form.email);
    }
    expect((await person.open('/account')).status).toBe(200);

    const typed = { email: ` ${email.toUpperCase()} `, reason: 'Married last week' };
    expect((await operator.send(page, typed)).location).toBe(pathOf(person, '?done=email'));
    expect((await person.open('/account')).location).toContain('/signin');
    expect((await person.open(link)).status).toBe(404);
    const signIn = (address: string) => person.send('/signin', { email: address, password: testPassword });
    expect([(await signIn(person.email)).status, (await signIn(email)).status]).toEqual([422, 303]);
    const headers = { authorization: `Bearer ${token}` };
    const emailOfKey = async () =>
      (await site.app.inject({ url: '/api/token/status', headers })).json().account?.email;
    await expect.poll(emailOfKey).toBe(email);
    const subject = (which: string) => `Your account is signed in to with ${which} now – Onward test site`;
    expect((await subjectsTo(site, person.email))[0]).toBe(subject('another email address'));
    expect(await subjectsTo(site, email)).toEqual([subject('this email address')]);
    for (const [address, advice] of [
      [person.email, 'You can no longer sign in with this address: tell'],
      [email, 'your address may have been given by mistake: tell'],
    ] as const) {
      const { text } = (await mailsTo(site, address))[0]!;
      expect(text).toContain(advice);
      expect(text).not.toContain('change your password');
    }
    const entry = await lastEntry('account.email_changed', person);
    expect(entry).toMatchObject({
      outcome: 'done',
      actor: 'Olive Operator',
      details: { reason: 'Married last week' },
    });
    // The same form again changes nothing and tells nobody.
    await operator.send(page, typed);
    expect(await subjectsTo(site, email)).toHaveLength(1);
  });

  it('is given to one of two accounts at the same time', async () => {
    const two = [await anAccount(site.deps), await anAccount(site.deps)];
    const form = { email: `${randomUUID()}@example.org`, reason: 'Tried for a test' };
    const answers = await Promise.all(two.map((each) => operator.send(pathOf(each, '/email'), form)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  });

  it('cannot be the old one in a sign-in during the change', async () => {
    const person = await signedInBrowser(site);
    await person.send('/reset-password', { email: person.email });
    const { signIn, mails } = await inTransaction(site.deps.db, async (trx) => {
      await setEmail(trx, person.id, `${randomUUID()}@example.org`);
      const signIn = person.send('/signin', { email: person.email, password: testPassword });
      const mails = mailsTo(site, person.email);
      await expect.poll(() => waitingForLocks(site.deps.db)).toBe(2);
      return { signIn, mails };
    });
    expect((await signIn).status).toBe(422);
    expect(await mails).toEqual([]);
  });
});
