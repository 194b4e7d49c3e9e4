import { Type } from 'typebox';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { lockAccount } from '../model/accounts-store.ts';
import type { Caller } from '../model/caller.ts';
import type { RelyingParty } from '../model/sign-in-settings.ts';
import { algorithms, useChallenge, userHandleOf } from './passkey-options.ts';
import { findPasskey, insertPasskey, listPasskeys, type Passkey } from './passkeys-store.ts';
import { recordFactorChange } from './record-factor-change.ts';

/** What browsers send of a passkey, in WebAuthn's JSON. Other members are not read. */
const base64url = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]+$' });

const credential = { id: base64url(1400), rawId: base64url(1400), type: Type.Literal('public-key') };

export const registrationSchema = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: base64url(10_000),
    attestationObject: base64url(100_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  }),
});

export const assertionSchema = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: base64url(10_000),
    authenticatorData: base64url(10_000),
    signature: base64url(10_000),
    userHandle: Type.Optional(Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9_-]*$' })),
  }),
});

type Registration = Type.Static<typeof registrationSchema>;
export type Assertion = Type.Static<typeof assertionSchema>;

/** The library's types ask for what extensions answered. It does not read it, so we do not take it from browsers. */
const noExtensions = { clientExtensionResults: {} };

const maxPasskeys = 20;
const maxNameLength = 60;

type NewPasskey = { caller: Caller; ipAddress: string; registration: Registration; name: string };

/** Stores a passkey that a device has just made. @returns whether it was added. */
export async function registerPasskey(
  deps: Platform,
  site: RelyingParty,
  passkey: NewPasskey,
): Promise<boolean> {
  const { caller, ipAddress, registration } = passkey;
  const { accountId } = caller;
  const checked = await checkRegistration(deps, site, accountId, registration);
  if (!checked) return false;
  return inTransaction(deps.db, async (trx) => {
    await lockAccount(trx, accountId);
    if ((await listPasskeys(trx, accountId)).length >= maxPasskeys) return false;
    const added = await insertPasskey(trx, {
      id: newId(),
      accountId,
      credentialId: checked.id,
      publicKey: checked.publicKey,
      signCount: checked.counter,
      transports: registration.response.transports ?? [],
      name: passkey.name.trim().slice(0, maxNameLength) || 'Passkey',
      createdAt: deps.clock.now(),
    });
    if (added) await recordFactorChange(trx, deps, { caller, ipAddress, change: 'added', factor: 'passkey' });
    return added;
  });
}

async function checkRegistration(
  deps: Platform,
  site: RelyingParty,
  accountId: string,
  registration: Registration,
) {
  const challenge = await useChallenge(deps, registration.response.clientDataJSON, 'register', accountId);
  if (challenge === undefined) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...(await withoutAttestation(registration)), ...noExtensions },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // A passkey without it is still a second factor; a sign-in with a passkey alone requires it.
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    return registrationInfo?.credential;
  } catch {
    return undefined;
  }
}

/**
 * Takes out the attestation, which is a statement by the device's maker. The site asks for none. The library would call
 * addresses in its certificates (to look for revoked ones), so a forged one could make this site call any address.
 */
async function withoutAttestation({ response, ...rest }: Registration): Promise<Registration> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const bytes = isoBase64URL.toBuffer(response.attestationObject);
  const authData = decodeAttestationObject(bytes).get('authData');
  const parts = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  const bare = isoCBOR.encode(parts as Parameters<typeof isoCBOR.encode>[0]);
  return { ...rest, response: { ...response, attestationObject: isoBase64URL.fromBuffer(bare) } };
}

export type CheckedPasskey = { passkey: Passkey; signCount: number };

/**
 * Checks, as the second factor of an account, that a browser has its passkey.
 * @returns undefined if not. The challenge is used up in any case.
 */
export function checkPasskeyAsFactor(
  deps: Platform,
  site: RelyingParty,
  assertion: Assertion,
  accountId: string,
): Promise<CheckedPasskey | undefined> {
  return checkAssertion(deps, site, assertion, accountId);
}

/** The same for a passkey alone, of any account. The device must have checked the person as well. */
export function checkPasskeyAlone(
  deps: Platform,
  site: RelyingParty,
  assertion: Assertion,
): Promise<CheckedPasskey | undefined> {
  return checkAssertion(deps, site, assertion, null);
}

/** A browser has a passkey if it signed a challenge of ours, on this site's address, with a count that grew. */
async function checkAssertion(
  deps: Platform,
  site: RelyingParty,
  assertion: Assertion,
  accountId: string | null,
): Promise<CheckedPasskey | undefined> {
  const { clientDataJSON, userHandle } = assertion.response;
  const purpose = accountId === null ? 'sign in' : 'second factor';
  const challenge = await useChallenge(deps, clientDataJSON, purpose, accountId);
  const passkey = await findPasskey(deps.db, assertion.id);
  if (challenge === undefined || !passkey) return undefined;
  if (accountId !== null && passkey.accountId !== accountId) return undefined;
  if (userHandle && userHandle !== Buffer.from(userHandleOf(passkey.accountId)).toString('base64url'))
    return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, ...noExtensions },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
      },
      requireUserVerification: accountId === null,
    });
    return verified ? { passkey, signCount: authenticationInfo.newCounter } : undefined;
  } catch {
    // The library throws for every fault, and the caller need not know which.
    return undefined;
  }
}
