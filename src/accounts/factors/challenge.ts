import type { Platform } from '../../platform/platform.ts';
import { isSecret, randomOctets } from '../../platform/secrets/index.ts';
import { type Challenge, deleteExpiredChallenges, insertChallenge, takeChallenge } from './passkeys-store.ts';

/** How long somebody may take over it: the browser gives up then, and the challenge is worth nothing any more. */
export const challengeForMs = 5 * 60_000;

/** Random bytes for a browser to have signed, once, for this purpose and this account. */
export async function newChallenge(
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
