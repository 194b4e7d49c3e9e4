import { sql } from 'kysely';
import { findAccount } from '../../src/accounts/index.ts';
import { makeApp } from '../app/make-app.ts';
import { signedInBrowser } from './signed-in-browser.ts';

type Id = { id: string };

/** The address of an account's page, or of one of those that change it. */
export const pathOf = ({ id }: Id, more = '') => `/operator/accounts/${id}${more}`;

/** A site with an operator, who is signed in. */
export async function makeOperatorStage() {
  const site = await makeApp();
  const { db } = site.deps;
  return {
    site,
    operator: await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' }),
    /** The account as it is now. */
    stored: async ({ id }: Id) => (await findAccount(db, id))!,
    /** What the audit says last about this account. */
    async lastEntry(action: string, { id }: Id) {
      const { rows } = await sql<{ details: object; outcome: string; actor: string; address: string }>`
        select details, outcome, actor_name as actor, address from audit_entries
        where action = ${action} and subject_id = ${id} order by id desc limit 1`.execute(db);
      return rows[0];
    },
  };
}
