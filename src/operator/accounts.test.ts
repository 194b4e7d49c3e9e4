import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount, aService, aTokenHolder } from '../../test/builders.ts';
import { makeApp, type TestApp } from '../../test/make-app.ts';
import { signedInBrowser } from '../../test/signed-in-browser.ts';
import {
  commandLine,
  findAccount,
  findSignInWays,
  removeSecondFactors,
  setDisabled,
  setRoles,
} from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';

const minute = 60_000;

let site: TestApp;
let operator: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  operator = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
});
afterAll(() => site.close());

const pathOf = ({ id }: { id: string }, more = '') => `/operator/accounts/${id}${more}`;
const stored = async ({ id }: { id: string }) => (await findAccount(site.deps.db, id))!;

async function lastEntry(action: string, { id }: { id: string }) {
  const { rows } = await sql<{ details: object; outcome: string; actor: string; address: string }>`
    select details, outcome, actor_name as actor, address from audit_entries
    where action = ${action} and subject_id = ${id} order by id desc limit 1`.execute(site.deps.db);
  return rows[0];
}

const callWith = async (headers: Record<string, string>) =>
  (await site.app.inject({ url: '/api/token/status', headers })).statusCode;

const everyPage = (id: string) => [
  '/operator',
  '/operator/accounts',
  '/operator/accounts/new',
  '/operator/audit',
  ...['', '/api-access', '/disabled', '/roles', '/organisation', '/invitation', '/second-factors'].map(
    (more) => pathOf({ id }, more),
  ),
];

test('nobody but an operator gets anything, and cannot tell whether an account is there', async () => {
  const account = await anAccount(site.deps);
  for (const role of ['referrer', 'provider'] as const) {
    const other = await signedInBrowser(site, { role });
    for (const url of [...everyPage(account.id), ...everyPage(randomUUID())]) {
      expect((await other.open(url)).status, url).toBe(403);
      if (url.split('/').length > 4)
        expect((await other.send(url, { switch: 'disable', reason: 'x' })).status, url).toBe(403);
    }
    expect((await other.send('/operator/audit/check', {})).status).toBe(403);
    expect((await other.send('/operator/accounts/new', {})).status).toBe(403);
  }
  expect((await stored(account)).disabledAt).toBeNull();
});

test('an account that is not there is the same “not found” as an address that is none', async () => {
  const missing = await operator.open(pathOf({ id: randomUUID() }));
  const nonsense = await operator.open('/operator/accounts/anything');
  expect([missing.status, nonsense.status]).toEqual([404, 404]);
  expect((await operator.send(pathOf({ id: randomUUID() }, '/disabled'), { reason: 'x' })).status).toBe(404);
});

test('API access is switched off for a reason: the tokens end at once, and the audit knows why', async () => {
  const holder = await aTokenHolder(site.deps);
  expect((await operator.open(pathOf(holder))).text).toContain('ends their access tokens');
  expect(await callWith(holder.headers)).toBe(200);
  const form = { switch: 'off', reason: ' Their laptop was stolen. ' };
  expect(await operator.send(pathOf(holder, '/api-access'), form)).toMatchObject({
    status: 303,
    location: pathOf(holder),
  });
  await expect.poll(() => callWith(holder.headers), { interval: 5 }).toBe(401);
  expect(await lastEntry('account.api_access_off', holder)).toMatchObject({
    outcome: 'done',
    actor: 'Olive Operator',
    address: '127.0.0.1',
    details: { reason: 'Their laptop was stolen.' },
  });
  // The same form again, from a second click or another tab, does not switch it back.
  await operator.send(pathOf(holder, '/api-access'), form);
  expect((await stored(holder)).apiAccess).toBe(false);
});

test('without a reason, or with a novel, nothing happens; what was written is kept', async () => {
  const holder = await aTokenHolder(site.deps);
  for (const reason of ['', '   ', 'x'.repeat(501)]) {
    const answer = await operator.send(pathOf(holder, '/api-access'), { switch: 'off', reason });
    expect(answer.status).toBe(422);
    expect(answer.page.querySelector('.nhsuk-error-summary a')!.getAttribute('href')).toBe('#reason');
    expect(answer.page.querySelector('textarea')!.text.trim()).toBe(reason.trim());
  }
  expect((await operator.send(pathOf(holder, '/api-access'), { switch: 'of', reason: 'x' })).status).toBe(
    400,
  );
  expect((await operator.send(pathOf(holder, '/disabled'), { reason: 'x' })).status).toBe(400);
  expect(
    (await operator.send(pathOf(holder, '/disabled'), { switch: 'disable', reason: 'a\0b' })).status,
  ).toBe(400);
  expect(await callWith(holder.headers)).toBe(200);
  expect(
    (await operator.send(pathOf(holder, '/api-access'), { switch: 'off', reason: '😀'.repeat(500) })).status,
  ).toBe(303);
});

test('switching on what is on leaves the tokens alive', async () => {
  const holder = await aTokenHolder(site.deps);
  await operator.send(pathOf(holder, '/api-access'), { switch: 'on', reason: 'To be sure' });
  expect(await callWith(holder.headers)).toBe(200);
});

test('disabling signs somebody out everywhere, and enabling lets them in again', async () => {
  const person = await signedInBrowser(site);
  await operator.send(pathOf(person, '/disabled'), { switch: 'disable', reason: 'Left the practice' });
  expect((await person.open('/referrals')).status).toBe(303);
  expect((await operator.open(pathOf(person))).text).toContain('Disabled');
  await operator.send(pathOf(person, '/disabled'), { switch: 'enable', reason: 'Came back' });
  await person.signIn();
  expect((await person.open('/referrals')).status).toBe(200);
  expect(await lastEntry('account.enabled', person)).toMatchObject({ details: { reason: 'Came back' } });
});

test('roles change from the next call on, and end nothing', async () => {
  const holder = await aTokenHolder(site.deps, { role: 'referrer' });
  const roleOf = async () => {
    const answer = await site.app.inject({ url: '/api/token/status', headers: holder.headers });
    return answer.json().account?.role;
  };
  expect(await roleOf()).toBe('referrer');
  await operator.send(pathOf(holder, '/roles'), { roles: ['operator', 'referrer'] });
  await expect.poll(roleOf, { interval: 5 }).toBe('operator,referrer');
  expect(await lastEntry('account.roles_changed', holder)).toMatchObject({
    details: { from: ['referrer'], to: ['operator', 'referrer'] },
  });
  const none = await operator.send(pathOf(holder, '/roles'), {});
  expect(none.status).toBe(422);
  expect(none.text).toContain('Select at least one role');
  await operator.send(pathOf(holder, '/roles'), { roles: ['referrer', 'emperor'] });
  await expect.poll(roleOf, { interval: 5 }).toBe('referrer');
});

test('a provider must be of an organisation of the library', async () => {
  const place = await aService(site.deps);
  const person = await anAccount(site.deps, { organisation: { name: 'Infirmary Lane Surgery' } });
  const refused = await operator.send(pathOf(person, '/roles'), { roles: 'provider' });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('library')]);
  expect(await lastEntry('account.roles_changed', person)).toMatchObject({ outcome: 'refused' });

  await operator.send(pathOf(person, '/organisation'), { organisation: place.organizationName });
  await operator.send(pathOf(person, '/roles'), { roles: 'provider' });
  expect(await stored(person)).toMatchObject({
    roles: ['provider'],
    organisation: { libraryOrganizationId: place.organizationId },
  });
  for (const organisation of ['Nobody knows them', '', 'x'.repeat(201)]) {
    const again = await operator.send(pathOf(person, '/organisation'), { organisation });
    expect(again.status).toBe(422);
    expect(again.page.querySelector('#organisation')!.getAttribute('value')).toBe(organisation);
  }
  await operator.send(pathOf(person, '/organisation'), { organisation: place.organizationId });
  expect((await stored(person)).organisation?.name).toBe(place.organizationName);
});

test('the last operator who can sign in stays one, whoever asks', async () => {
  const { db } = site.deps;
  const others = await anAccount(site.deps, { role: 'operator' });
  const second = await signedInBrowser(site, { role: 'operator' });
  await setDisabled(site.deps, commandLine, others.email, true);
  // An operator who was invited and never came does not count.
  await sql`update accounts set password_hash = null where id = ${others.id}`.execute(db);
  await setDisabled(site.deps, commandLine, others.email, false);
  const { rows } = await sql<{ id: string }>`
    select id from accounts where 'operator' = any(roles) and id not in (${operator.id}, ${second.id}, ${others.id})`.execute(
    db,
  );
  for (const { id } of rows) await setDisabled(site.deps, commandLine, { id }, true);

  // Each takes the other away at the same moment: one of them is left.
  const away = { switch: 'disable', reason: 'x' };
  const [a, b] = await Promise.all([
    operator.send(pathOf(second, '/disabled'), away),
    second.send(pathOf(operator, '/disabled'), away),
  ]);
  // Whose session ended at that very moment may be sent to the sign-in page: that has the same status.
  const done = [a.location === pathOf(second), b.location === pathOf(operator)];
  expect(done.filter(Boolean)).toHaveLength(1);
  const [winner, loser] = done[0] ? [operator, second] : [second, operator];
  for (const [more, form] of [
    ['/disabled', away],
    ['/roles', { roles: 'referrer' }],
  ] as const) {
    const refused = await winner.send(pathOf(winner, more), form);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('Nobody could run the site'),
    ]);
  }
  expect(await lastEntry('account.disabled', winner)).toMatchObject({
    outcome: 'refused',
    details: { refused: 'last-operator' },
  });
  // One who has no password, but a passkey, keeps it.
  const { rows: passwords } = await sql<{ hash: string }>`
    select password_hash as hash from accounts where id = ${winner.id}`.execute(db);
  await sql`
    insert into passkeys (id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (gen_random_uuid(), ${winner.id}, 'only', '\\x00', 0, '{}', 'Key', now())`.execute(db);
  // Nor one with a password, which may be too short to sign in with alone.
  expect((await winner.send(pathOf(winner, '/second-factors'), {})).status).toBe(409);
  await sql`update accounts set password_hash = null where id = ${winner.id}`.execute(db);
  expect((await winner.send(pathOf(winner, '/second-factors'), {})).status).toBe(409);
  expect(await lastEntry('second_factor.reset', winner)).toMatchObject({
    outcome: 'refused',
    details: { refused: 'last-operator' },
  });
  await removeSecondFactors(site.deps, commandLine, winner.email.toUpperCase());
  await sql`update accounts set password_hash = ${passwords[0]!.hash} where id = ${winner.id}`.execute(db);
  await winner.signIn();
  expect((await stored(winner)).roles).toEqual(['operator']);
  await setDisabled(site.deps, commandLine, loser.email, false);
  await loser.signIn();
  // With another one left, it may be.
  await setRoles(site.deps, { id: winner.id, name: 'x' }, { id: winner.id }, ['referrer']);
  await setRoles(site.deps, commandLine, { id: winner.id }, ['operator']);
});

test('who signed in long ago is asked for the password before they give rights away', async () => {
  const person = await anAccount(site.deps);
  site.clock.moveOn(15 * minute + 1000);
  for (const more of [
    '/api-access',
    '/disabled',
    '/roles',
    '/organisation',
    '/invitation',
    '/second-factors',
  ]) {
    const url = pathOf(person, more);
    const expected = { status: 303, location: `/signin?next=${encodeURIComponent(url)}` };
    expect(await operator.open(url), more).toMatchObject(expected);
    expect(
      await operator.send(url, { switch: 'disable', reason: 'x', roles: 'operator' }),
      more,
    ).toMatchObject(expected);
  }
  expect((await operator.open('/operator/accounts/new')).location).toContain('/signin?next=');
  const form = { email: 'x@example.org', name: 'X', roles: 'operator' };
  expect((await operator.send('/operator/accounts/new', form)).location).toContain('/signin?next=');
  expect(await stored(person)).toMatchObject({ disabledAt: null, roles: ['referrer'] });
  // Looking is always allowed.
  expect((await operator.open(pathOf(person))).status).toBe(200);
  await operator.signIn();
  expect((await operator.open(pathOf(person, '/roles'))).status).toBe(200);
});

test('an invitation makes an account, with several roles; mistakes are shown with what was typed', async () => {
  const typed = {
    name: 'New Colleague',
    email: 'new.colleague@example.org',
    organisation: 'Sarrowby Surgery',
  };
  const wrong = await operator.send('/operator/accounts/new', { name: 'New Colleague', email: 'nonsense' });
  expect(wrong.status).toBe(422);
  const links = wrong.page
    .querySelectorAll('.nhsuk-error-summary a')
    .map((link) => link.getAttribute('href'));
  expect(links).toEqual(['#email', '#roles', '#organisation']);
  expect(wrong.text).toContain('E-mail address must be an e-mail address');
  expect(wrong.page.querySelector('#name')!.getAttribute('value')).toBe('New Colleague');

  const made = await operator.send('/operator/accounts/new', {
    ...typed,
    roles: ['operator', 'referrer'],
    api_access: 'on',
  });
  expect(made.status).toBe(303);
  const id = made.location!.split('/').at(-1)!;
  expect(await stored({ id })).toMatchObject({
    roles: ['operator', 'referrer'],
    apiAccess: true,
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

test('second factors are taken off for somebody who lost them', async () => {
  const person = await anAccount(site.deps);
  await sql`
    insert into passkeys (id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (gen_random_uuid(), ${person.id}, 'abc', '\\x00', 0, '{}', 'Key', now())`.execute(site.deps.db);
  expect((await operator.open(pathOf(person))).text).toContain('A passkey');
  await operator.send(pathOf(person, '/second-factors'), {});
  const page = await operator.open(pathOf(person));
  expect(page.text).not.toContain('A passkey');
  expect(page.page.querySelector(`a[href$="/second-factors"]`)).toBeNull();
});

test('who takes an operator’s second factors off waits for the account first, as all do who change one', async () => {
  const other = await anAccount(site.deps, { role: 'operator' });
  const { removal, free } = await inTransaction(site.deps.db, async (trx) => {
    await sql`select from accounts where id = ${other.id} for update`.execute(trx);
    const removal = operator.send(pathOf(other, '/second-factors'), {});
    await expect.poll(waitingForLocks, { interval: 5 }).toBe(1);
    // Were it taken already, whoever disables this account now would wait for the removal, and the removal for them.
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('onward operators', 0)) as free`.execute(trx);
    return { removal, free: rows[0]!.free };
  });
  expect(free).toBe(true);
  expect((await removal).status).toBe(303);
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(site.deps.db);
  return rows[0]!.count;
}

test('who idled out is not counted as signed in now', async () => {
  const person = await signedInBrowser(site);
  expect((await findSignInWays(site.deps.db, person.id, site.clock.now())).sessions).toBe(1);
  site.clock.moveOn(30 * minute);
  expect((await findSignInWays(site.deps.db, person.id, site.clock.now())).sessions).toBe(0);
  await operator.signIn();
});

test('the list is searched by name, address and organisation, and goes on page by page', async () => {
  const name = `Zebedee ${randomUUID()}`;
  await anAccount(site.deps, { name, organisation: { name: `Zoo ${name}` } });
  for (const text of [name.toUpperCase(), `zoo ${name}`]) {
    const { page } = await operator.open(`/operator/accounts?${new URLSearchParams({ text })}`);
    expect(page.querySelectorAll('tbody tr')).toHaveLength(1);
  }
  expect((await operator.open('/operator/accounts?text=%25')).text).toContain('no accounts like that');
  await sql`
    insert into accounts (id, email, name, roles, created_at)
    select gen_random_uuid(), 'many-' || n || '@example.org', 'One of many', '{referrer}', now()
    from generate_series(1, 60) n`.execute(site.deps.db);
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

test('the list and the page say when keys were last used', async () => {
  const holder = await aTokenHolder(site.deps, { name: 'Keyholder' });
  await callWith(holder.headers);
  await expect
    .poll(async () => (await operator.open(pathOf(holder))).text, { interval: 10 })
    .toContain('from the address 127.0.0.1');
  const { page } = await operator.open('/operator/accounts?text=keyholder');
  expect(page.querySelector('tbody')!.text).toContain('21 November 2026');
});
