import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { actorOf, type Caller } from '../caller.ts';
import { findSecondFactors } from '../factors/second-factors-store.ts';
import { lockAccount } from '../store.ts';
import { tellHolder } from '../tell-holder.ts';
import { deleteIdentity, listIdentities } from './identities-store.ts';
import { lastWayToSignIn } from './problems.ts';

/**
 * Ends a link of the caller's account to somebody at a provider. `issuer` is the provider that the site uses now: a
 * link to another opens nothing any more, and can always go.
 * @throws Problem `not-found`, or `last-way-to-sign-in` where the account could not be signed in to afterwards.
 */
export async function unlinkIdentity(
  deps: Platform,
  caller: Caller,
  unlink: { id: string; issuer: string | undefined; address: string },
): Promise<void> {
  const { id, issuer, address } = unlink;
  const { accountId } = caller;
  await inTransaction(deps.db, async (trx) => {
    // Locked, so that the password, the passkeys and the link are not removed at once, each because of the others.
    const account = await lockAccount(trx, accountId);
    const identity = (await listIdentities(trx, accountId)).find((each) => each.id === id);
    if (!account || !identity) throw new Problem(notFound);
    const { passkeys } = await findSecondFactors(trx, accountId);
    if (identity.issuer === issuer && account.passwordHash === null && passkeys === 0)
      throw new Problem(lastWayToSignIn, 'Add a password or a passkey to your account first.');
    await deleteIdentity(trx, id);
    const actor = actorOf(caller, address);
    const subject = { type: 'account', id: accountId };
    const details = { issuer: identity.issuer };
    await recordAudit(trx, { at: deps.clock.now(), actor, action: 'identity.unlinked', subject, details });
    const what = `A link to a sign-in at ${new URL(identity.issuer).host} was removed from your account`;
    await tellHolder(trx, deps, account, what, { address });
  });
}
