import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { lockAccount } from '../model/accounts-store.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { deleteIdentity, insertIdentity, listIdentities } from '../model/identities-store.ts';
import { lastWayToSignIn } from '../model/problems.ts';
import { findSecondFactors } from '../model/second-factors-store.ts';
import { tellHolder } from '../model/security-emails.ts';
import { auditedWithProvider } from './finish-flow.ts';
import { identityTaken } from './problems.ts';
import type { Person } from './provider.ts';

type IdentityLink = { person: Person; ipAddress: string };

/** Links the caller's account to somebody at the provider, who can then sign in to it. @throws Problem `identity-taken`. */
export async function linkIdentity(deps: Platform, caller: Caller, link: IdentityLink): Promise<void> {
  await auditedWithProvider(deps, 'identity.linked', actorOf(caller, link.ipAddress), () =>
    inTransaction(deps.db, (trx) => linkInTransaction(trx, deps, caller, link)),
  );
}

/** Links within the transaction of another action. @throws Problem `identity-taken`. */
export async function linkInTransaction(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  link: IdentityLink,
): Promise<void> {
  const { person, ipAddress } = link;
  const { issuer, subject } = person;
  const { accountId } = caller;
  const at = deps.clock.now();
  if (!(await insertIdentity(trx, { id: newId(), accountId, issuer, subject, at })))
    throw new Problem(
      identityTaken,
      'Either that person is linked to an account already, or your account is linked to somebody there. Remove that link first.',
    );
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, ipAddress),
    action: 'identity.linked',
    subject: { type: 'account', id: accountId },
    details: { issuer },
  });
  const what = `Your account can now be signed in to with ${deps.settings.oidcName}`;
  await tellHolder(trx, deps, caller, what, { ipAddress });
}

/**
 * Removes a link of the caller's account to somebody at a provider. `issuer` is the site's present provider; links to
 * another provider no longer work and can always be removed.
 * @throws Problem `not-found`, or `last-way-to-sign-in` if the account could not be signed in to afterwards.
 */
export async function unlinkIdentity(
  deps: Platform,
  caller: Caller,
  unlink: { id: string; issuer: string | undefined; ipAddress: string },
): Promise<void> {
  const { id, issuer, ipAddress } = unlink;
  const { accountId } = caller;
  await inTransaction(deps.db, async (trx) => {
    // Locked, so that two requests cannot remove the last two ways to sign in at the same time.
    const account = await lockAccount(trx, accountId);
    const identity = (await listIdentities(trx, accountId)).find((each) => each.id === id);
    if (!account || !identity) throw new Problem(notFound);
    const { passkeys } = await findSecondFactors(trx, accountId);
    if (identity.issuer === issuer && account.passwordHash === null && passkeys === 0)
      throw new Problem(lastWayToSignIn, 'Add a password or a passkey to your account first.');
    await deleteIdentity(trx, id);
    const actor = actorOf(caller, ipAddress);
    const subject = { type: 'account', id: accountId };
    const details = { issuer: identity.issuer };
    await recordAudit(trx, { at: deps.clock.now(), actor, action: 'identity.unlinked', subject, details });
    const what = `A link to a sign-in at ${new URL(identity.issuer).host} was removed from your account`;
    await tellHolder(trx, deps, account, what, { ipAddress });
  });
}
