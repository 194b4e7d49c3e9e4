import type { Platform } from '../../platform/platform.ts';
import { unprocessable, wrongInput } from '../../platform/problem/index.ts';
import { checkContactDetails } from '../model/account.ts';
import { updateContactDetails } from '../model/accounts-store.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { changeAccount } from '../model/change-account.ts';

/** Changes a person's own job title and telephone; an empty one removes it. @throws Problem `unprocessable`. */
export async function changeContactDetails(
  deps: Platform,
  caller: Caller,
  details: { jobTitle: string; telephone: string },
  ipAddress: string,
): Promise<void> {
  const jobTitle = details.jobTitle || null;
  const telephone = details.telephone || null;
  await changeAccount(
    deps,
    actorOf(caller, ipAddress),
    { id: caller.accountId },
    {
      action: 'account.contact-changed',
      async make(trx, account) {
        const errors = checkContactDetails(details);
        if (errors.length > 0) throw wrongInput(unprocessable, errors);
        if (account.jobTitle === jobTitle && account.telephone === telephone) return { changed: false };
        await updateContactDetails(trx, account.id, { jobTitle, telephone });
        return { changed: true };
      },
    },
  );
}
