import type { Platform } from '../platform/platform.ts';
import { nameFault } from './account.ts';
import { actorOf, type Caller } from './caller.ts';
import { changeAccount } from './change-account.ts';
import { updateName } from './store.ts';

/** Changes one's own name. @returns false for a name that is none: then nothing was changed. */
export async function changeName(
  deps: Platform,
  caller: Caller,
  typed: string,
  address: string,
): Promise<boolean> {
  const name = typed.trim();
  if (nameFault(name) !== undefined) return false;
  const which = { id: caller.accountId };
  await changeAccount(deps, actorOf(caller, address), which, 'account.renamed', async (trx, account) => {
    if (account.name === name) return false;
    await updateName(trx, account.id, name);
    return true;
  });
  return true;
}
