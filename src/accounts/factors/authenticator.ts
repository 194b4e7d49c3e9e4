import { type Db, inTransaction } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { newRandomBytes } from '../../platform/secrets/index.ts';
import { lockAccount } from '../model/accounts-store.ts';
import type { Caller } from '../model/caller.ts';
import {
  findPendingAuthenticatorSecret,
  markAuthenticatorConfirmed,
  savePendingAuthenticator,
} from '../model/second-factors-store.ts';
import { recordFactorChange } from './record-factor-change.ts';
import { makeRecoveryCodesIfNone } from './recovery-codes.ts';

/** Every authenticator app accepts these, and some accept nothing else (RFC 6238). */
const rules = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const secretLength = 20;
const purpose = 'authenticator';

/** Makes a secret for an authenticator app, in base32. */
async function newTotpSecret(): Promise<string> {
  const { Secret } = await import('otpauth');
  return new Secret({ buffer: new Uint8Array(newRandomBytes(secretLength)).buffer }).base32;
}

/** Seals a secret for the database: it opens only with the site key, and only for this account. */
function sealTotpSecret(deps: Platform, accountId: string, secret: string): Buffer {
  return deps.secrets.seal(purpose, accountId, secret);
}

/** @returns undefined if it was sealed with another site key. */
export function openTotpSecret(deps: Platform, accountId: string, sealed: Buffer): string | undefined {
  try {
    return deps.secrets.open(purpose, accountId, sealed);
  } catch {
    return undefined;
  }
}

/**
 * The time step of a code (RFC 6238): the current one, or one either side, since the phone's clock may be wrong and typing
 * takes a while. Undefined for any other code.
 */
export async function timeStepOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth');
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...rules,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp,
    window: 1,
  });
  return delta === null ? undefined : TOTP.counter({ period: rules.period, timestamp }) + delta;
}

/** The QR code that an app scans, as a data address for an image. */
export async function qrCodeOf(secret: string, issuer: string, label: string): Promise<string> {
  const { Secret, TOTP } = await import('otpauth');
  const { renderSVG } = await import('uqr');
  // A colon separates issuer and label.
  const totp = new TOTP({
    ...rules,
    issuer: issuer.replaceAll(':', ' '),
    label,
    secret: Secret.fromBase32(secret),
  });
  const svg = renderSVG(totp.toString(), { border: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** How long a set-up can take. Then it starts again, because somebody else may have seen the secret on a screen. */
const pendingForMs = 30 * minuteMs;

/** Makes a secret for an authenticator app. It is not a factor until a code shows that the app has it. */
export async function beginAuthenticator(deps: Platform, accountId: string): Promise<void> {
  const sealed = sealTotpSecret(deps, accountId, await newTotpSecret());
  await inTransaction(deps.db, (trx) =>
    savePendingAuthenticator(trx, { accountId, sealed, at: deps.clock.now() }),
  );
}

/** The secret that waits for its first code, if any. */
export async function pendingTotpSecret(
  db: Db,
  deps: Platform,
  accountId: string,
): Promise<string | undefined> {
  const madeAfter = new Date(deps.clock.now().getTime() - pendingForMs);
  const sealed = await findPendingAuthenticatorSecret(db, accountId, madeAfter);
  return sealed && openTotpSecret(deps, accountId, sealed);
}

/** `codes` are the account's first recovery codes, to be shown once; empty if it had some already. */
export type Confirmation =
  | { kind: 'confirmed'; codes: string[] }
  | { kind: 'wrong-code' }
  | { kind: 'not-started' };

/** Confirms an authenticator app, once its holder types a right code. */
export function confirmAuthenticatorApp(
  deps: Platform,
  caller: Caller,
  typed: string,
  ipAddress: string,
): Promise<Confirmation> {
  return inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, caller.accountId);
    const secret = account && (await pendingTotpSecret(trx, deps, account.id));
    if (secret === undefined) return { kind: 'not-started' };
    const at = deps.clock.now();
    const counter = await timeStepOfCode(secret, typed.replaceAll(/\s/g, ''), at);
    if (counter === undefined) return { kind: 'wrong-code' };
    await markAuthenticatorConfirmed(trx, account!.id, counter, at);
    const codes = await makeRecoveryCodesIfNone(trx, deps, account!.id);
    await recordFactorChange(trx, deps, { caller, ipAddress, change: 'added', factor: 'authenticator app' });
    return { kind: 'confirmed', codes };
  });
}
