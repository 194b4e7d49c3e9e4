import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { actorOf, type Caller } from '../caller.ts';
import { lockAccount } from '../store.ts';
import { tellHolder } from '../tell-holder.ts';
import { newRecoveryCode, recoveryCodesAtOnce } from './recovery-code.ts';
import { findSecondFactors, hasSecondFactor, replaceRecoveryCodes } from './second-factors-store.ts';

/**
 * Makes recovery codes for an account with a second factor, in place of all earlier ones.
 * @returns them, to be shown once; none where there is nothing that they could stand in for.
 */
export function renewRecoveryCodes(deps: Platform, caller: Caller, address: string): Promise<string[]> {
  const { accountId } = caller;
  return inTransaction(deps.db, async (trx) => {
    await lockAccount(trx, accountId);
    if (!(await hasSecondFactor(trx, accountId))) return [];
    const codes = await makeCodes(trx, deps, accountId);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'recovery_codes.made',
      subject: { type: 'account', id: accountId },
    });
    await tellHolder(trx, deps, caller, 'New recovery codes were made for your account', { address });
    return codes;
  });
}

/** The first codes of an account that has just got its first second factor; the account is locked already. */
export async function makeRecoveryCodesIfNone(
  trx: Trx,
  deps: Platform,
  accountId: string,
): Promise<string[]> {
  const { recoveryCodes } = await findSecondFactors(trx, accountId);
  return recoveryCodes > 0 ? [] : makeCodes(trx, deps, accountId);
}

async function makeCodes(trx: Trx, deps: Platform, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesAtOnce }, newRecoveryCode);
  const hashes = codes.map((code) => deps.secrets.hash('recovery code', code));
  await replaceRecoveryCodes(trx, accountId, hashes, deps.clock.now());
  return codes;
}
