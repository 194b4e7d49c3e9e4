import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { findLinkHolder, linkEnded, useLink } from './account-links.ts';
import { actorOf, callerOf } from './caller.ts';
import { newPasswordHash } from './new-password-hash.ts';
import { replacePassword } from './reset-password.ts';
import { vouchFor } from './throttle.ts';

/**
 * Gives the holder of a reset link a new password, and ends whatever the old one opened. It signs nobody in: a second
 * factor is asked for as ever.
 * @throws Problem `link-ended`, or `unprocessable` about the password.
 */
export async function finishPasswordReset(
  deps: Platform,
  { secret, password, address }: { secret: string; password: string; address: string },
): Promise<void> {
  const holder = await findLinkHolder(deps, 'reset', secret);
  if (!holder) throw new Problem(linkEnded);
  const passwordHash = await newPasswordHash(deps, holder, password);
  await inTransaction(deps.db, async (trx) => {
    const account = await useLink(trx, deps, 'reset', secret);
    await replacePassword(
      trx,
      deps,
      actorOf(callerOf(account, 'session'), address),
      account.id,
      passwordHash,
    );
    // However many others guess at the account just now: who reads its email is its holder, and gets in from here.
    await vouchFor(trx, deps, { kind: 'sign-in', email: account.email, address });
  });
}
