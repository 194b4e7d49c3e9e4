import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { canonicalRecoveryCode } from './recovery-code.ts';
import { findAuthenticator, spendCounter, spendRecoveryCode } from './second-factors-store.ts';
import { counterOfCode, openTotpSecret } from './totp.ts';

/** Uses up a code that somebody typed. @returns which kind it was, or undefined where it is worth nothing. */
export async function useCode(
  trx: Trx,
  deps: Platform,
  accountId: string,
  typed: string,
): Promise<'authenticator' | 'recovery code' | undefined> {
  const digits = typed.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits))
    return (await useAuthenticatorCode(trx, deps, accountId, digits)) ? 'authenticator' : undefined;
  const code = canonicalRecoveryCode(typed);
  if (code === undefined) return undefined;
  const spent = await spendRecoveryCode(trx, accountId, deps.secrets.hash('recovery code', code));
  return spent ? 'recovery code' : undefined;
}

/** A code works once: whoever read it over a shoulder, or off the line, comes too late. */
async function useAuthenticatorCode(
  trx: Trx,
  deps: Platform,
  accountId: string,
  code: string,
): Promise<boolean> {
  const sealed = await findAuthenticator(trx, accountId);
  const secret = sealed && openTotpSecret(deps, accountId, sealed);
  const counter = secret === undefined ? undefined : await counterOfCode(secret, code, deps.clock.now());
  return counter !== undefined && spendCounter(trx, accountId, counter);
}
