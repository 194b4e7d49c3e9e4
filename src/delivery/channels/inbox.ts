import { hasActiveProvider } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { type Channel, NoWay } from './channel.ts';
import { renderLetterAlone } from './letter-file.ts';

/**
 * The receiver's list of referrals on this site. The referral is in it as soon as it is stored, so there is nothing to
 * send; but a list that nobody can open would be a referral that silently goes nowhere.
 */
export function createInbox({ db }: { db: Db }): Channel {
  return {
    name: 'inbox',
    repeatable: true,
    confirms: false,
    render: (message) => renderLetterAlone(message, 'The list of referrals on this site'),
    async send({ recipient: { name, code } }) {
      if (code === null || !(await hasActiveProvider(db, code))) {
        throw new NoWay(`Nobody at ${name} has an account on this site that can open it.`);
      }
      return { status: 'received', detail: `It is in the list of referrals of ${name} on this site.` };
    },
    classify: () => undefined,
  };
}
