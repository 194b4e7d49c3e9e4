import { afterAll, describe, expect, it } from 'vitest';
import { storePasskey } from '../../../test/accounts/stored.ts';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { anInvitation, refusalOf } from '../../../test/people/invitations.ts';
import { siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { useLink } from '../email-links/links.ts';
import { findAccountByEmail } from '../model/accounts-store.ts';
import { insertIdentity } from '../model/identities-store.ts';
import { isOrganisationKnown } from '../model/organisations/organisations-store.ts';
import type { Invitation } from './create-account.ts';
import { inviteAccount, inviteAgain } from './invite-account.ts';

const site = await makeApp();
afterAll(() => site.close());
const invited = (given?: Partial<Invitation>) => anInvitation(site, given);

const otherWaysIn = {
  passkey: (id: string) => storePasskey(site.deps.db, id),
  identity: async (accountId: string) => {
    const identity = { id: newId(), accountId, issuer: 'https://idp.example', subject: accountId };
    await inTransaction(site.deps.db, (trx) => insertIdentity(trx, { ...identity, at: new Date() }));
  },
};

describe('an invitation', () => {
  it('is not for somebody with a password, nor sent twice', async () => {
    const { email } = await anAccount(site.deps);
    expect(await refusalOf(inviteAgain(site.deps, siteActor, email))).toBe('not-to-be-invited');
    expect(await refusalOf(inviteAgain(site.deps, siteActor, 'nobody@example.org'))).toBe('no-such-account');
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

  it('needs an organisation of the library for a provider', async () => {
    for (const organisation of [undefined, { name: 'Not of the library' }]) {
      const email = `${newId()}@example.org`;
      expect(await refusalOf(invited({ email, roles: ['referrer', 'provider'], organisation }))).toBe(
        'unprocessable',
      );
      expect(await findAccountByEmail(site.deps.db, email)).toBeUndefined();
      const made = anAccount(site.deps, { email, role: 'provider', organisation });
      expect(await refusalOf(made)).toBe('unprocessable');
    }
    expect(await isOrganisationKnown(site.deps.db, 'Not of the library')).toBe(false);
  });

  it('is refused on a live site without a mail server', async () => {
    const deps = { ...site.deps, settings: { ...site.deps.settings, mode: 'live' as const } };
    const email = 'new@example.org';
    const invitation = { email, name: 'New', roles: ['referrer' as const], hasApiAccess: false };
    expect(await refusalOf(inviteAccount(deps, siteActor, invitation))).toBe('no-mail-server');
    expect(await findAccountByEmail(site.deps.db, email)).toBeUndefined();
  });

  it.each(
    Object.entries(otherWaysIn),
  )('is not for somebody who signs in with a %s, and its link ends', async (_, add) => {
    const { email, link } = await invited();
    const account = await findAccountByEmail(site.deps.db, email);
    await add(account!.id);
    expect(await refusalOf(inviteAgain(site.deps, siteActor, email))).toBe('not-to-be-invited');
    expect((await site.app.inject(link)).statusCode).toBe(404);
    const secret = link.split('/').at(-1)!;
    const use = inTransaction(site.deps.db, (trx) => useLink(trx, site.deps, 'invitation', secret));
    expect(await refusalOf(use)).toBe('link-ended');
    expect((await findAccountByEmail(site.deps.db, email))!.passwordHash).toBeNull();
  });
});
