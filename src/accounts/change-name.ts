import type { Platform } from '../platform/platform.ts';
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
  // A line end or another invisible character would let a name look like a part of a letter or a page.
  if (name.length === 0 || name.length > 120 || /\p{C}|\p{Zl}|\p{Zp}/u.test(name)) return false;
  const which = { id: caller.accountId };
  await changeAccount(deps, actorOf(caller, address), which, 'account.renamed', async (trx, account) => {
    if (account.name === name) return false;
    await updateName(trx, account.id, name);
    return true;
  });
  return true;
}
