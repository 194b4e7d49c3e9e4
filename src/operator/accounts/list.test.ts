import { afterAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeOperatorFixture, pathOf } from '../../../test/people/operator-fixture.ts';
import { rowInWords } from '../../../test/people/row-in-words.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { beginAttempt } from '../../accounts/index.ts';

const { site, operator } = await makeOperatorFixture();
afterAll(() => site.close());

const rowOf = async ({ email }: { email: string }) => {
  const { page } = await operator.open(`/operator/accounts?${new URLSearchParams({ text: email })}`);
  const [row, ...others] = page.querySelectorAll('tbody tr');
  expect(others).toEqual([]);
  return rowInWords(row!);
};

describe('the list of accounts', () => {
  it('says when somebody last signed in, also once signed out', async () => {
    const never = await anAccount(site.deps);
    expect(await rowOf(never)).toMatch(/Status Active.*Last signed in Never/);
    const person = await signedInBrowser(site);
    await person.send('/signout', {});
    expect(await rowOf(person)).toMatch(/Status Active.*Last signed in 21 Nov/);
    expect((await operator.open(pathOf(person))).text).toMatch(/Last signed in\s+21 November 2026 at/);
  });

  it('does not count a refused sign-in', async () => {
    const person = await anAccount(site.deps);
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams({ email: person.email, password: 'not their password' }).toString();
    await site.app.inject({ method: 'POST', url: '/signin', headers, payload });
    expect(await rowOf(person)).toContain('Last signed in Never');
  });

  it('says who is invited, disabled or locked', async () => {
    const email = 'invited@example.org';
    await operator.send('/operator/accounts/new', { name: 'Ines', email, roles: 'manager' });
    expect(await rowOf({ email })).toContain('Status Invited');

    const disabled = await anAccount(site.deps);
    await operator.send(pathOf(disabled, '/disabled'), { switch: 'disable', reason: 'Left the practice' });
    expect(await rowOf(disabled)).toContain('Status Disabled');

    const guessed = await anAccount(site.deps);
    for (let guess = 0; guess < 10; guess += 1)
      await beginAttempt(site.deps, {
        kind: 'code',
        accountId: guessed.id,
        ipAddress: `198.51.100.${guess}`,
      });
    expect(await rowOf(guessed)).toMatch(/Status Locked until \d+:\d\d[ap]m/);
    expect((await operator.open(pathOf(guessed))).text).toContain('too many wrong passwords or codes');
    site.clock.moveOn(60 * 60_000);
    await operator.signIn();
    expect(await rowOf(guessed)).toContain('Status Active');
  });
});

describe('the list of invitations', () => {
  it('has those who have not accepted, with an action for each', async () => {
    const [email, late] = ['new@invitations.example.org', 'late@invitations.example.org'];
    await operator.send('/operator/accounts/new', { name: 'Late', email: late, roles: 'manager' });
    site.clock.moveOn(8 * 24 * 60 * 60_000);
    await operator.signIn();
    await operator.send('/operator/accounts/new', { name: 'Nia', email, roles: 'manager' });
    const person = await anAccount(site.deps, { email: 'accepted@invitations.example.org' });

    const list = '/operator/accounts?list=invited&text=invitations.example.org';
    const { page } = await operator.open(list);
    const rows = page.querySelectorAll('tbody tr').map(rowInWords);
    expect(rows).toEqual([
      expect.stringMatching(/Late.*Invitation Has run out.*Send again to Late.*Disable/),
      expect.stringMatching(/Nia.*Works until 6 Dec.*Send again to Nia/),
    ]);
    expect(rows.join()).not.toContain(person.email);
    const again = page.querySelector('tbody form')!.getAttribute('action')!;
    expect((await operator.send(again, {})).status).toBe(303);
    expect((await operator.open(list)).text).not.toContain('Has run out');

    const admin = await operator.open('/operator');
    expect(admin.page.querySelector('a[href="/operator/accounts/new"]')?.text).toBe('Invite somebody');
    expect(admin.text).toMatch(/\d invitations open/);
  });
});
