import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Platform } from '../../platform/platform.ts';
import { useChallenge } from './challenge.ts';
import { userHandleOf } from './passkey-options.ts';
import type { Assertion } from './passkey-schemas.ts';
import { findPasskey, type Passkey } from './passkeys-store.ts';
import type { RelyingParty } from './relying-party.ts';

export type CheckedPasskey = { passkey: Passkey; signCount: number };

/**
 * Whether a browser shows that it has a passkey of ours now: for a challenge of ours, on this site's own address, with a
 * count that grew. Alone (`accountId` null), the device must have made sure of the person as well.
 */
export async function checkAssertion(
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
      response: assertion as unknown as AuthenticationResponseJSON,
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
    // The library throws for each thing that can be wrong with it; none of them is the caller's to know.
    return undefined;
  }
}
