import type { Platform } from '../../platform/platform.ts';
import type { Caller } from '../caller.ts';
import { challengeForMs, newChallenge } from './challenge.ts';
import { listPasskeys } from './passkeys-store.ts';
import type { RelyingParty } from './relying-party.ts';

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
