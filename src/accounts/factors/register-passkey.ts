import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Caller } from '../caller.ts';
import { lockAccount } from '../store.ts';
import { useChallenge } from './challenge.ts';
import { noteFactorChange } from './note-factor-change.ts';
import { algorithms } from './passkey-options.ts';
import type { Registration } from './passkey-schemas.ts';
import { insertPasskey, listPasskeys } from './passkeys-store.ts';
import type { RelyingParty } from './relying-party.ts';

const mostPasskeys = 20;
const longestName = 60;

type NewPasskey = { caller: Caller; address: string; registration: Registration; name: string };

/** Adds a passkey that a device has just made for this person. @returns whether it was added. */
export async function registerPasskey(
  deps: Platform,
  site: RelyingParty,
  made: NewPasskey,
): Promise<boolean> {
  const { caller, address, registration } = made;
  const { accountId } = caller;
  const checked = await checkRegistration(deps, site, accountId, registration);
  if (!checked) return false;
  return inTransaction(deps.db, async (trx) => {
    await lockAccount(trx, accountId);
    if ((await listPasskeys(trx, accountId)).length >= mostPasskeys) return false;
    const added = await insertPasskey(trx, {
      id: newId(),
      accountId,
      credentialId: checked.id,
      publicKey: checked.publicKey,
      signCount: checked.counter,
      transports: registration.response.transports ?? [],
      name: made.name.trim().slice(0, longestName) || 'Passkey',
      createdAt: deps.clock.now(),
    });
    if (added) await noteFactorChange(trx, deps, { caller, address, change: 'added', factor: 'passkey' });
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
      response: (await withoutStatement(registration)) as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // Without it, it still is a second factor; signing in with it alone asks for it then.
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    return registrationInfo?.credential;
  } catch {
    return undefined;
  }
}

/**
 * The same without a statement of the device's maker. We ask for none, and browsers take it out; the library would follow
 * addresses in the certificates of one (to look for revoked ones), so that one sent all the same could make this site
 * call where it is told to.
 */
async function withoutStatement({ response, ...rest }: Registration): Promise<Registration> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const octets = isoBase64URL.toBuffer(response.attestationObject);
  const authData = decodeAttestationObject(octets).get('authData');
  const parts = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  const bare = isoCBOR.encode(parts as Parameters<typeof isoCBOR.encode>[0]);
  return { ...rest, response: { ...response, attestationObject: isoBase64URL.fromBuffer(bare) } };
}
