import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Caller } from '../caller.ts';
import { lockAccount } from '../store.ts';
import { pendingTotpSecret } from './begin-authenticator.ts';
import { makeRecoveryCodesIfNone } from './make-recovery-codes.ts';
import { noteFactorChange } from './note-factor-change.ts';
import { confirmAuthenticator } from './second-factors-store.ts';
import { counterOfCode } from './totp.ts';

/** `codes` are the account's first recovery codes, to be shown now and never again; none where it had some. */
export type Confirmation =
  | { kind: 'confirmed'; codes: string[] }
  | { kind: 'wrong code' }
  | { kind: 'nothing begun' };

/** Makes an authenticator app count, once its holder shows that it gives the right codes. */
export function confirmAuthenticatorApp(
  deps: Platform,
  caller: Caller,
  typed: string,
  address: string,
): Promise<Confirmation> {
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, caller.accountId);
    const secret = account && (await pendingTotpSecret(deps, account.id, trx));
    if (secret === undefined) return { kind: 'nothing begun' };
    const at = deps.clock.now();
    const counter = await counterOfCode(secret, typed.replaceAll(/\s/g, ''), at);
    if (counter === undefined) return { kind: 'wrong code' };
    await confirmAuthenticator(trx, account!.id, counter, at);
    const codes = await makeRecoveryCodesIfNone(trx, deps, account!.id);
    await noteFactorChange(trx, deps, { caller, address, change: 'added', factor: 'authenticator app' });
    return { kind: 'confirmed', codes };
  });
}
