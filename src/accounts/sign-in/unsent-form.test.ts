import { parse } from 'node-html-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { countRows } from '../../../test/database/stored.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { hourMs, minuteMs } from '../../platform/durations.ts';
import { deleteExpiredUnsentForms } from './unsent-forms-store.ts';

const site = await makeApp();
afterAll(() => site.close());
const olive = await anAccount(site.deps, { role: 'operator' });
const colleague = await anAccount(site.deps, { role: 'operator' });

const path = '/operator/accounts/new';
const written = {
  name: 'Nora “Nightingale” & Co <x>',
  email: 'nora@example.org',
  roles: ['referrer', 'manager'],
  organisation: 'Elm Surgery',
};
function asForm({ roles, ...rest }: typeof written): URLSearchParams {
  const form = new URLSearchParams(rest);
  for (const role of roles) form.append('roles', role);
  return form;
}

/** Olive presses Invite more than 15 minutes after she signed in. */
async function pressedLate(form = asForm(written)) {
  const browser = plainBrowser(site.app);
  await browser.signIn(olive.email);
  await browser.get(path);
  site.clock.moveOn(16 * minuteMs);
  const accounts = await countRows(site.deps.db, 'accounts');
  const answer = await browser.postForm(path, form);
  expect(await countRows(site.deps.db, 'accounts')).toBe(accounts);
  const signInPath = String(answer.headers.location);
  expect([answer.statusCode, signInPath]).toEqual([303, expect.stringMatching(/^\/signin\?next=/)]);
  const next = new URLSearchParams(signInPath.split('?')[1]).get('next')!;
  return { browser, signInPath, next };
}

describe('a form that needs a new sign-in first', () => {
  it('is filled in again, and does nothing until it is sent', async () => {
    const { browser, signInPath, next } = await pressedLate();
    expect((await browser.get(signInPath)).body).toContain('has what you entered');
    const accounts = await countRows(site.deps.db, 'accounts');
    expect(await browser.signIn(olive.email, next)).toBe(next);
    const page = parse((await browser.get(next)).body);
    expect(page.querySelector('#name')!.getAttribute('value')).toBe(written.name);
    expect(page.querySelector('#email')!.getAttribute('value')).toBe(written.email);
    expect(page.querySelectorAll('[name=roles][checked]').map((each) => each.getAttribute('value'))).toEqual(
      written.roles,
    );
    expect(page.querySelector('main')!.text).toMatch(/You’re signed in again\. Nothing has been done yet/);
    expect(page.querySelector('main')!.text).toMatch(/press “.*nvit.*” again/);
    expect(await countRows(site.deps.db, 'accounts')).toBe(accounts);
  });

  it('is filled in again after every such sign-in', async () => {
    const { browser, next } = await pressedLate();
    await browser.signIn(olive.email);
    await browser.get(next);
    site.clock.moveOn(16 * minuteMs);
    const again = String((await browser.postForm(next, asForm(written))).headers.location);
    await browser.signIn(olive.email);
    const { body } = await browser.get(new URLSearchParams(again.split('?')[1]).get('next')!);
    expect(body).toContain('Nightingale');
  });

  it('is shown until it is sent, and to its writer only', async () => {
    const { browser, next } = await pressedLate();
    const other = plainBrowser(site.app);
    await other.signIn(colleague.email);
    expect((await other.get(next)).body).not.toContain('Nightingale');
    await browser.signIn(olive.email);
    await browser.get(next);
    const page = parse((await browser.get(next)).body);
    const name = 'input[name=unsent_form]';
    const id = page.querySelector(`main form:has(#name) > ${name}`)!.getAttribute('value')!;
    await other.post(path, { name: '', unsent_form: id });
    expect((await browser.get(next)).body).toContain('Nightingale');
    const refused = await browser.post(path, { name: '', unsent_form: id });
    expect(refused.statusCode).toBe(422);
    expect((await browser.get(next)).body).not.toMatch(/Nightingale|signed in again/);
  });

  it('is found by a page that was opened before signing in', async () => {
    const { browser, next } = await pressedLate();
    const early = String((await browser.get(next)).headers.location);
    expect(new URLSearchParams(early.split('?')[1]).get('next')).toBe(next);
    await browser.signIn(olive.email);
    expect((await browser.get(next)).body).toContain('Nightingale');
  });

  it('is discarded if its writer says so', async () => {
    const { browser, next } = await pressedLate();
    await browser.signIn(olive.email);
    const page = parse((await browser.get(next)).body);
    const discard = page.querySelector('form[action="/discard-form"]')!;
    const fields = discard
      .querySelectorAll('input')
      .map((each) => [each.getAttribute('name')!, each.getAttribute('value')!]);
    const answer = await browser.post('/discard-form', Object.fromEntries(fields));
    expect(answer.headers.location).toBe(path);
    expect((await browser.get(next)).body).not.toContain('Nightingale');
  });

  it('is one of five at most, the latest', async () => {
    const pages: string[] = [];
    const browser = plainBrowser(site.app);
    await browser.signIn(olive.email);
    site.clock.moveOn(16 * minuteMs);
    for (let index = 0; index < 7; index += 1) {
      const answer = await browser.post(path, { name: `Person ${index}` });
      pages.push(new URLSearchParams(String(answer.headers.location).split('?')[1]).get('next')!);
      site.clock.moveOn(1000);
    }
    await browser.signIn(olive.email);
    const isKept = async (page: string) => (await browser.get(page)).body.includes('signed in again');
    expect(await Promise.all(pages.map(isKept))).toEqual([false, false, true, true, true, true, true]);
  });

  it('is not kept if it is too long, and the pages say so', async () => {
    const { browser, signInPath, next } = await pressedLate(
      new URLSearchParams({ name: `Nightingale ${'x'.repeat(100_000)}` }),
    );
    expect((await browser.get(signInPath)).body).toContain('too long to be kept');
    await browser.signIn(olive.email);
    const { body } = await browser.get(next);
    expect(body).toContain('What you entered was too long to be kept');
    expect(body).not.toContain('Nightingale');
  });

  it.each([
    'legal-hold',
    'looks',
    'export',
  ])('comes back where the person is found first: %s', async (action) => {
    const browser = plainBrowser(site.app);
    await browser.signIn(olive.email);
    site.clock.moveOn(16 * minuteMs);
    const person = { nhs_number: '999 000 0018', reason: 'Asked by letter 12', purpose: 'person' };
    const answer = await browser.post(`/operator/patients/${action}`, person);
    const next = new URLSearchParams(String(answer.headers.location).split('?')[1]).get('next')!;
    await browser.signIn(olive.email);
    const page = parse((await browser.get(next)).body);
    const typedIn = (name: string) => page.querySelector(`main [name=${name}]`)!.getAttribute('value');
    expect([typedIn('nhs_number'), typedIn('purpose')]).toEqual([person.nhs_number, 'person']);
    expect(page.querySelector('textarea[name=reason]')!.text).toBe(person.reason);
    expect(page.querySelector('main')!.text).toContain('press “Find the record”, and go on from there');
  });

  it('is not kept for the key of the API reference', async () => {
    const browser = plainBrowser(site.app);
    await browser.signIn(olive.email);
    site.clock.moveOn(16 * minuteMs);
    const before = await countRows(site.deps.db, 'unsent_forms');
    const answer = await browser.postJson('/api/docs/key');
    expect([answer.statusCode, answer.json()]).toEqual([403, { go_to: '/signin?next=%2Fapi%2Fdocs' }]);
    expect(await countRows(site.deps.db, 'unsent_forms')).toBe(before);
  });

  it('is gone after an hour, and deleted', async () => {
    const { browser, next } = await pressedLate();
    site.clock.moveOn(hourMs);
    await browser.signIn(olive.email);
    expect((await browser.get(next)).body).not.toContain('Nightingale');
    await deleteExpiredUnsentForms(site.deps.db, site.clock.now());
    expect(await countRows(site.deps.db, 'unsent_forms')).toBe(0);
  });

  it('keeps no password and no code', async () => {
    const form = new URLSearchParams({ ...written, roles: 'referrer', password: 'pw', code: '123456' });
    const { browser, next } = await pressedLate(form);
    await browser.signIn(olive.email);
    const page = (await browser.get(next)).body;
    expect(page).toContain('Nightingale');
    expect(page).not.toContain('123456');
  });

  it('is not kept if it has a file, and the pages say so', async () => {
    const browser = plainBrowser(site.app);
    await browser.signIn(olive.email);
    site.clock.moveOn(31 * minuteMs - 2 * minuteMs);
    await browser.get('/account');
    site.clock.moveOn(2 * minuteMs);
    const answer = await browser.postFile('/operator/accounts/invite-team/file', 'name,email\n');
    const signInPath = String(answer.headers.location);
    expect((await browser.get(signInPath)).body).toContain('a file cannot be kept');
    await browser.signIn(olive.email);
    const next = new URLSearchParams(signInPath.split('?')[1]).get('next')!;
    expect((await browser.get(next)).body).toContain('A file cannot be kept while you sign in');
  });
});
