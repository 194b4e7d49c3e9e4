import type { Platform } from '../../platform/platform.ts';
import { randomOctets } from '../../platform/secrets/index.ts';

/** What every authenticator app takes, and some take nothing else (RFC 6238). */
const rules = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const secretOctets = 20;
const purpose = 'authenticator';

/** A new secret for an authenticator app, in base32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import('otpauth');
  return new Secret({ buffer: new Uint8Array(randomOctets(secretOctets)).buffer }).base32;
}

/** A secret as it lies in the database: it opens only with the site key, and for this account. */
export function sealTotpSecret(deps: Platform, accountId: string, secret: string): Buffer {
  return deps.secrets.seal(purpose, accountId, secret);
}

/** Undefined where it was sealed with another site key: no code fits it any more. */
export function openTotpSecret(deps: Platform, accountId: string, sealed: Buffer): string | undefined {
  try {
    return deps.secrets.open(purpose, accountId, sealed);
  } catch {
    return undefined;
  }
}

/**
 * Which 30 seconds a code belongs to: these, the ones before or the ones after, since a telephone's clock may be off a
 * little and typing takes a while. Undefined for any other code.
 */
export async function counterOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
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

/** What an app scans: a QR code as the address of an image, which the page holds itself. */
export async function qrCodeOf(secret: string, issuer: string, label: string): Promise<string> {
  const { Secret, TOTP } = await import('otpauth');
  const { renderSVG } = await import('uqr');
  // A colon divides issuer and label.
  const totp = new TOTP({
    ...rules,
    issuer: issuer.replaceAll(':', ' '),
    label,
    secret: Secret.fromBase32(secret),
  });
  const svg = renderSVG(totp.toString(), { border: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
