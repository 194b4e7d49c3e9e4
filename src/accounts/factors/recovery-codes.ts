import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { newRandomBytes } from '../../platform/secrets/index.ts';
import { lockAccount } from '../model/accounts-store.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { findSecondFactors, hasSecondFactor, replaceRecoveryCodes } from '../model/second-factors-store.ts';
import { tellHolder } from '../model/security-emails.ts';

const recoveryCodeCount = 10;

/** The letters of codes, without i, l, o and u, which are easily misread. Each of the 32 is five random bits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const groups = 4;
/** Codes of earlier versions have three, and still work. */
const oldGroups = 3;
const groupLength = 4;

/** A new code of 80 random bits, such as `7k2m-x9qa-0tvz-4hdc`. */
export function newRecoveryCode(): string {
  const text = [...newRandomBytes(groups * groupLength)]
    .map((byte) => letters[byte % letters.length])
    .join('');
  return groupLetters(text);
}

/**
 * Puts a typed code into its stored form: small letters, dashes, no spaces, and 0 and 1 for letters that look like them.
 * @returns undefined if it cannot be a code.
 */
export function canonicalRecoveryCode(typed: string): string | undefined {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isWhole = [groups, oldGroups].some((count) => text.length === count * groupLength);
  if (!isWhole || [...text].some((each) => !letters.includes(each))) return undefined;
  return groupLetters(text);
}

function groupLetters(text: string): string {
  return text.match(new RegExp(`.{${groupLength}}`, 'g'))!.join('-');
}

/**
 * Makes recovery codes for an account, in place of all earlier ones.
 * @returns them, to be shown once; none if the account has no second factor.
 */
export function renewRecoveryCodes(deps: Platform, caller: Caller, ipAddress: string): Promise<string[]> {
  const { accountId } = caller;
  return inTransaction(deps.db, async (trx) => {
    await lockAccount(trx, accountId);
    if (!(await hasSecondFactor(trx, accountId))) return [];
    const codes = await makeCodes(trx, deps, accountId);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'recovery_codes.made',
      subject: { type: 'account', id: accountId },
    });
    await tellHolder(trx, deps, caller, 'New recovery codes were made for your account', { ipAddress });
    return codes;
  });
}

/** Makes the first recovery codes of an account that has just got a second factor. The account is locked already. */
export async function makeRecoveryCodesIfNone(
  trx: Trx,
  deps: Platform,
  accountId: string,
): Promise<string[]> {
  const { recoveryCodes } = await findSecondFactors(trx, accountId);
  return recoveryCodes > 0 ? [] : makeCodes(trx, deps, accountId);
}

async function makeCodes(trx: Trx, deps: Platform, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const hashes = codes.map((code) => deps.secrets.hash('recovery code', code));
  await replaceRecoveryCodes(trx, accountId, hashes, deps.clock.now());
  return codes;
}
