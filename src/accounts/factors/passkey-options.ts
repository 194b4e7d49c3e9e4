import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { isSecret, newRandomBytes } from '../../platform/secrets/index.ts';
import type { Caller } from '../model/caller.ts';
import type { RelyingParty } from '../model/sign-in-settings.ts';
import {
  type Challenge,
  deleteExpiredChallenges,
  insertChallenge,
  listPasskeys,
  takeChallenge,
} from './passkeys-store.ts';

/**
 * EdDSA, ES256 and RS256 by their COSE numbers (RFC 9053, RFC 8812), which all recent browsers and devices support. The
 * library's default includes algorithms that are experimental in Node. The library (29 MB) is loaded when first needed.
 */
export const algorithms = [-8, -7, -257];

/** The account as a passkey names it: its id, which says nothing about the person. */
export function userHandleOf(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(accountId.replaceAll('-', ''), 'hex'));
}

/** The options with which the browser asks a device to make a new passkey. */
export async function registrationOptions(deps: Platform, site: RelyingParty, caller: Caller) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const known = await listPasskeys(deps.db, caller.accountId);
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userID: userHandleOf(caller.accountId),
    userName: caller.email,
    userDisplayName: caller.name,
    challenge: await newChallenge(deps, 'register', caller.accountId),
    timeout: challengeLifetimeMs,
    // The site does not need to know the make of the device.
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** The options of a sign-in with a passkey alone: the device finds the passkey and checks the person (PIN, finger, face). */
export async function signInOptions(deps: Platform, site: RelyingParty) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: await newChallenge(deps, 'sign in', null),
    timeout: challengeLifetimeMs,
    userVerification: 'required',
  });
}

/** The options of a passkey after the password: having the device is enough, and the site says which passkeys it may be. */
export async function secondFactorOptions(deps: Platform, site: RelyingParty, accountId: string) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const known = await listPasskeys(deps.db, accountId);
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: await newChallenge(deps, 'second factor', accountId),
    timeout: challengeLifetimeMs,
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: 'discouraged',
  });
}

/** How long a person may take. After that the browser gives up, and the challenge expires. */
const challengeLifetimeMs = 5 * minuteMs;

/** Makes random bytes for the browser to sign once, for this purpose and this account. */
async function newChallenge(
  deps: Platform,
  purpose: Challenge['purpose'],
  accountId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(newRandomBytes(32));
  const now = deps.clock.now();
  // Anybody can ask for a challenge, so each call deletes the expired ones.
  await deleteExpiredChallenges(deps.db, now);
  const challenge = Buffer.from(bytes).toString('base64url');
  await insertChallenge(
    deps.db,
    { challenge, purpose, accountId },
    new Date(now.getTime() + challengeLifetimeMs),
  );
  return bytes;
}

/**
 * Uses up the challenge that a browser says it had signed, before anything else is checked, so that nothing can be sent
 * twice. @returns the challenge; undefined if it is unknown or for something else.
 */
export async function useChallenge(
  deps: Platform,
  clientDataJson: string,
  purpose: Challenge['purpose'],
  accountId: string | null,
): Promise<string | undefined> {
  const challenge = await readChallenge(clientDataJson);
  if (challenge === undefined) return undefined;
  const isOurs = await takeChallenge(deps.db, { challenge, purpose, accountId }, deps.clock.now());
  return isOurs ? challenge : undefined;
}

async function readChallenge(clientDataJson: string): Promise<string | undefined> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  try {
    const { challenge } = decodeClientDataJSON(clientDataJson);
    return isSecret(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}
