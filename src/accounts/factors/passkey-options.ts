import type { Platform } from '../../platform/platform.ts';
import { isSecret, randomOctets } from '../../platform/secrets/index.ts';
import type { Caller } from '../model/caller.ts';
import type { RelyingParty } from '../model/sign-in-options.ts';
import {
  type Challenge,
  deleteExpiredChallenges,
  insertChallenge,
  listPasskeys,
  takeChallenge,
} from './passkeys-store.ts';

/**
 * EdDSA, ES256 and RS256 by their COSE numbers (RFC 9053, RFC 8812): what every browser and device of the last years can
 * do; the library's default tries what Node calls experimental. The library, 29 MB, is loaded when first needed.
 */
export const algorithms = [-8, -7, -257];

/** The account as a passkey names it: its id, which says nothing about the person. */
export function userHandleOf(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(accountId.replaceAll('-', ''), 'hex'));
}

/** What the browser is to ask a device for, to make a new passkey of this person. */
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
    timeout: challengeForMs,
    // Which make of device it is we do not need to know, and so do not ask.
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Signing in with a passkey alone: the device must find it by itself, and make sure of the person (PIN, finger, face). */
export async function signInOptions(deps: Platform, site: RelyingParty) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: await newChallenge(deps, 'sign in', null),
    timeout: challengeForMs,
    userVerification: 'required',
  });
}

/** A passkey after the password: having the device is enough, and it may be one that finds nothing by itself. */
export async function secondFactorOptions(deps: Platform, site: RelyingParty, accountId: string) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const known = await listPasskeys(deps.db, accountId);
  return generateAuthenticationOptions({
    rpID: site.id,
    challenge: await newChallenge(deps, 'second factor', accountId),
    timeout: challengeForMs,
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: 'discouraged',
  });
}

/** How long somebody may take over it: the browser gives up then, and the challenge is worth nothing any more. */
const challengeForMs = 5 * 60_000;

/** Random bytes for a browser to have signed, once, for this purpose and this account. */
async function newChallenge(
  deps: Platform,
  purpose: Challenge['purpose'],
  accountId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const octets = new Uint8Array(randomOctets(32));
  const now = deps.clock.now();
  // Anybody may ask for one: each asking clears away the old ones, and no more are kept than five minutes bring.
  await deleteExpiredChallenges(deps.db, now);
  const challenge = Buffer.from(octets).toString('base64url');
  await insertChallenge(deps.db, { challenge, purpose, accountId }, new Date(now.getTime() + challengeForMs));
  return octets;
}

/**
 * Uses up the challenge that a browser says it had signed, before anything else is looked at: what was sent once is worth
 * nothing the second time, whether it was good or not. @returns it, or undefined where it is not one of these.
 */
export async function useChallenge(
  deps: Platform,
  clientDataJson: string,
  purpose: Challenge['purpose'],
  accountId: string | null,
): Promise<string | undefined> {
  const challenge = await challengeIn(clientDataJson);
  if (challenge === undefined) return undefined;
  const taken = await takeChallenge(deps.db, { challenge, purpose, accountId }, deps.clock.now());
  return taken ? challenge : undefined;
}

async function challengeIn(clientDataJson: string): Promise<string | undefined> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  try {
    const { challenge } = decodeClientDataJSON(clientDataJson);
    return isSecret(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}
