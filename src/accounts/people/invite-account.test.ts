import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { anInvitation, refusalOf } from '../../../test/people/invitations.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { useLink } from '../email-links/links.ts';
import { findAccountByEmail } from '../model/accounts-store.ts';
import { theSite } from '../model/caller.ts';
import type { Invitation } from './create-account.ts';
import { inviteAccount, inviteAgain } from './invite-account.ts';

const site = await makeApp();
afterAll(() => site.close());
const invited = (given?: Partial<Invitation>) => anInvitation(site, given);

test('who has a password is not invited, and nobody twice', async () => {
  const { email } = await anAccount(site.deps);
  expect(await refusalOf(inviteAgain(site.deps, theSite, email))).toBe('not-to-be-invited');
  expect(await refusalOf(inviteAgain(site.deps, theSite, 'nobody@example.org'))).toBe('no-such-account');
  expect(await refusalOf(invited({ email }))).toBe('email-taken');
  for (const wrong of [
    { email: 'nobody' },
    { email: 'a@x.org, eve@example.org' },
    { name: ' ' },
    { name: 'a\nb' },
    { name: 'a\u2028b' },
    { name: 'Asha\u202e Patel' },
  ])
    expect(await refusalOf(invited(wrong)), JSON.stringify(wrong)).toBe('unprocessable');
});

const otherWaysIn = {
  passkey: (id: string) => sql`
    insert into passkeys (id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (gen_random_uuid(), ${id}, ${`of ${id}`}, '\\x00', 0, '{}', 'Key', now())`,
  identity: (id: string) => sql`
    insert into identities (id, account_id, issuer, subject, linked_at)
    values (gen_random_uuid(), ${id}, 'https://idp.example', ${`of ${id}`}, now())`,
};

test.each(
  Object.entries(otherWaysIn),
)('who has come in with a %s is not invited again, and a link of before is dead', async (_, add) => {
  const { email, link } = await invited();
  const account = await findAccountByEmail(site.deps.db, email);
  await add(account!.id).execute(site.deps.db);
  expect(await refusalOf(inviteAgain(site.deps, theSite, email))).toBe('not-to-be-invited');
  expect((await site.app.inject(link)).statusCode).toBe(404);
  const secret = link.split('/').at(-1)!;
  const use = inTransaction(site.deps.db, (trx) => useLink(trx, site.deps, 'invitation', secret));
  expect(await refusalOf(use)).toBe('link-ended');
  expect((await findAccountByEmail(site.deps.db, email))!.passwordHash).toBeNull();
});

test('a provider is invited for an organisation of the library only, and nothing is left of one who is not', async () => {
  for (const organisation of [undefined, { name: 'Not of the library' }]) {
    const email = `${newId()}@example.org`;
    expect(await refusalOf(invited({ email, roles: ['referrer', 'provider'], organisation }))).toBe(
      'unprocessable',
    );
    expect(await findAccountByEmail(site.deps.db, email)).toBeUndefined();
    const made = anAccount(site.deps, { email, role: 'provider', organisation });
    expect(await refusalOf(made)).toBe('unprocessable');
  }
  const { rows } = await sql`select 1 from organisations where name = 'Not of the library'`.execute(
    site.deps.db,
  );
  expect(rows).toEqual([]);
});

test('a live site without a mail server invites nobody', async () => {
  const deps = { ...site.deps, settings: { ...site.deps.settings, mode: 'live' as const } };
  const email = 'new@example.org';
  const invitation = { email, name: 'New', roles: ['referrer' as const], apiAccess: false };
  expect(await refusalOf(inviteAccount(deps, theSite, invitation))).toBe('no-mail-server');
  expect((await sql`select 1 from accounts where email = ${email}`.execute(site.deps.db)).rows).toEqual([]);
});
