import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { checkDisplayName } from '../model/account.ts';
import { updateName } from '../model/accounts-store.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { changeAccount } from '../model/change-account.ts';

/** Changes a person's own name. @throws Problem `unprocessable`. */
export async function changeName(
  deps: Platform,
  caller: Caller,
  typed: string,
  ipAddress: string,
): Promise<void> {
  const name = typed.trim();
  const errors = checkDisplayName(name);
  if (errors.length > 0) throw new Problem(unprocessable, 'The name was not changed.', { errors });
  const ref = { id: caller.accountId };
  await changeAccount(deps, actorOf(caller, ipAddress), ref, {
    action: 'account.renamed',
    async make(trx, account) {
      if (account.name === name) return { changed: false };
      await updateName(trx, account.id, name, deps.clock.now());
      return { changed: true, details: { from: account.name, to: name } };
    },
  });
}
