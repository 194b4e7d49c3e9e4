import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { lockAccount, type StoredAccount } from '../model/accounts-store.ts';
import type { Caller } from '../model/caller.ts';
import { listIdentities } from '../model/identities-store.ts';
import { lastWayToSignIn, secondFactorRequired } from '../model/problems.ts';
import { needsSecondFactor } from '../model/second-factor-rules.ts';
import {
  deleteAuthenticator,
  deleteRecoveryCodes,
  findSecondFactors,
  hasSecondFactor,
} from '../model/second-factors-store.ts';
import { checkOwnPassword } from '../passwords/change-password.ts';
import { isLongEnoughAlone } from '../passwords/password-rules.ts';
import { deletePasskey } from './passkeys-store.ts';
import { recordFactorChange } from './record-factor-change.ts';

export type FactorToRemove = { factor: 'authenticator app' } | { factor: 'passkey'; id: string };

export type RefusedRemoval = 'password-needed' | 'password-wrong' | 'password-too-short';
type Removal = 'removed' | 'nothing-there' | RefusedRemoval;

type RemovalRequest = {
  caller: Caller;
  ipAddress: string;
  what: FactorToRemove;
  password?: string | undefined;
};

/**
 * Removes a second factor of the caller. Without the last one the password must be long enough to stand alone. Its length
 * is known only while it is typed, so the password is asked for.
 * @throws Problem `second-factor-required` if the site asks for one, `last-way-to-sign-in` for the only passkey of an
 * account without a password, `too-many-attempts`.
 */
export async function removeFactor(
  deps: Platform,
  { caller, ipAddress, what, password }: RemovalRequest,
): Promise<Removal> {
  const verifiedAccount = password ? await checkOwnPassword(deps, caller, password, ipAddress) : undefined;
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, caller.accountId);
    if (!account) return 'nothing-there';
    if (needsSecondFactor(deps.settings, account.roles) && (await hasAtMostOneFactor(trx, account.id)))
      throw new Problem(secondFactorRequired, 'Add another app or passkey first.');
    const refusal = whyLastFactorMustStay(account, verifiedAccount, password ?? '');
    if (refusal && (await hasAtMostOneFactor(trx, account.id))) return refusal;
    if (what.factor === 'passkey' && (await isPasskeyOnlyWayToSignIn(trx, deps, account)))
      throw new Problem(lastWayToSignIn, 'Link another sign-in to your account first, or choose a password.');
    if (!(await deleteFactor(trx, caller.accountId, what))) return 'nothing-there';
    if (!(await hasSecondFactor(trx, caller.accountId))) await deleteRecoveryCodes(trx, caller.accountId);
    await recordFactorChange(trx, deps, { caller, ipAddress, change: 'removed', factor: what.factor });
    return 'removed';
  });
}

/** Whether the account has one second factor or none. */
export async function hasAtMostOneFactor(db: Db, accountId: string): Promise<boolean> {
  const { authenticatorSince, passkeys } = await findSecondFactors(db, accountId);
  return passkeys + (authenticatorSince === null ? 0 : 1) <= 1;
}

/** Whether a passkey is the only way to sign in to the account. */
async function isPasskeyOnlyWayToSignIn(
  trx: Trx,
  { settings }: Platform,
  account: StoredAccount,
): Promise<boolean> {
  if (account.passwordHash !== null) return false;
  const { passkeys } = await findSecondFactors(trx, account.id);
  const identities = await listIdentities(trx, account.id);
  return passkeys === 1 && !identities.some(({ issuer }) => issuer === settings.oidcIssuer);
}

/** Says why the last factor must stay, if it must. `verifiedAccount` is the account when its password was checked. */
function whyLastFactorMustStay(
  account: StoredAccount,
  verifiedAccount: StoredAccount | undefined,
  password: string,
): RefusedRemoval | undefined {
  // Somebody without a password signs in another way, and needs no long password.
  if (account.passwordHash === null) return undefined;
  if (password === '') return 'password-needed';
  if (verifiedAccount?.passwordHash !== account.passwordHash) return 'password-wrong';
  return isLongEnoughAlone(password) ? undefined : 'password-too-short';
}

function deleteFactor(trx: Trx, accountId: string, what: FactorToRemove): Promise<boolean> {
  return what.factor === 'passkey'
    ? deletePasskey(trx, accountId, what.id)
    : deleteAuthenticator(trx, accountId);
}
