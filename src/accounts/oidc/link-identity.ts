import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { actorOf, type Caller } from '../caller.ts';
import { tellHolder } from '../tell-holder.ts';
import { insertIdentity } from './identities-store.ts';
import type { Person } from './person.ts';
import { identityTaken } from './problems.ts';
import { orRecordProviderRefusal } from './record-refusal.ts';

type Link = { person: Person; address: string };

/** Lets somebody at the provider sign in to the caller's account from now on. @throws Problem `identity-taken`. */
export async function linkIdentity(deps: Platform, caller: Caller, link: Link): Promise<void> {
  await orRecordProviderRefusal(deps, 'identity.linked', actorOf(caller, link.address), () =>
    inTransaction(deps.db, (trx) => linkWithin(trx, deps, caller, link)),
  );
}

/** The same, within a transaction that does more. @throws Problem `identity-taken`. */
export async function linkWithin(trx: Trx, deps: Platform, caller: Caller, link: Link): Promise<void> {
  const { person, address } = link;
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
    actor: actorOf(caller, address),
    action: 'identity.linked',
    subject: { type: 'account', id: accountId },
    details: { issuer },
  });
  const what = `Your account can now be signed in to with ${deps.settings.oidcName}`;
  await tellHolder(trx, deps, caller, what, { address });
}
