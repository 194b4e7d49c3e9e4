import { accountTopic, actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, notify } from '../../platform/database/index.ts';
import { newToken } from '../model/token.ts';
import type { TokenDeps } from '../model/token-services.ts';
import { deleteKeyNetworks } from './key-activity-store.ts';
import {
  findRefreshTokenState,
  findSealedTokenOfFirstPair,
  insertFirstPair,
  replaceFirstPair,
} from './refresh-tokens-store.ts';

const purpose = 'refresh token';

/**
 * The account's refresh token, to show it to its holder; it is made when it is first shown. Undefined if it was sealed
 * with another site key: then it does not work here, and the holder must make new keys.
 */
export async function findOrMakeRefreshToken(deps: TokenDeps, caller: Caller): Promise<string | undefined> {
  const { accountId } = caller;
  const existing = await findSealedTokenOfFirstPair(deps.db, accountId);
  if (existing) return openSealedToken(deps, accountId, existing);
  await insertFirstPair(deps.db, accountId, newRefreshToken(deps, accountId));
  // Another request may have made one at the same time; then that one counts.
  return openSealedToken(deps, accountId, (await findSealedTokenOfFirstPair(deps.db, accountId))!);
}

function openSealedToken(deps: TokenDeps, accountId: string, sealed: Buffer): string | undefined {
  try {
    return deps.secrets.open(purpose, accountId, sealed);
  } catch {
    return undefined;
  }
}

/** The account that a refresh token belongs to, if it works. */
export async function findHolderOfRefreshToken(
  { db, secrets, clock }: Pick<TokenDeps, 'db' | 'secrets' | 'clock'>,
  text: string,
): Promise<string | undefined> {
  const hash = secrets.hash(purpose, text.trim());
  return (await findRefreshTokenState(db, hash, clock.now()))?.accountId;
}

/** Replaces the account's first pair of keys and ends its access tokens, everywhere, at once. Named keys stay. */
export async function regenerateKeys(deps: TokenDeps, caller: Caller, ipAddress: string): Promise<void> {
  const { accountId } = caller;
  await inTransaction(deps.db, async (trx) => {
    const token = newRefreshToken(deps, accountId);
    await replaceFirstPair(trx, accountId, token);
    await deleteKeyNetworks(trx, accountId);
    await recordAudit(trx, {
      at: token.at,
      actor: actorOf(caller, ipAddress),
      action: 'keys.regenerated',
      subject: { type: 'account', id: accountId },
    });
    await notify(trx, accountTopic, accountId);
  });
}

/** A new refresh token, not yet stored. */
export function newRefreshToken(deps: TokenDeps, accountId: string) {
  const text = newToken('refresh', deps.tokenServices.tag);
  return {
    hash: deps.secrets.hash(purpose, text),
    sealed: deps.secrets.seal(purpose, accountId, text),
    at: deps.clock.now(),
  };
}
