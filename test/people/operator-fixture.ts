import { findAccount } from '../../src/accounts/index.ts';
import { makeApp } from '../app/make-app.ts';
import { storedEntries } from '../audit/stored.ts';
import { signedInBrowser } from './signed-in-browser.ts';

type Id = { id: string };

/** The address of an account's page, or of one of those that change it. */
export const pathOf = ({ id }: Id, more = '') => `/operator/accounts/${id}${more}`;

/** A site with an operator, who is signed in. */
export async function makeOperatorFixture() {
  const site = await makeApp();
  const { db } = site.deps;
  return {
    site,
    operator: await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' }),
    /** The account as it is now. */
    stored: async ({ id }: Id) => (await findAccount(db, id))!,
    /** The newest audit entry of this action about an account. */
    async lastEntry(action: string, { id }: Id) {
      const entry = (await storedEntries(db, { action, subjectId: id })).at(-1);
      return entry && { ...entry, actor: entry.actor_name };
    },
  };
}
