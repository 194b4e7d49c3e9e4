import { accountTopic, actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, notify } from '../../platform/database/index.ts';
import { newToken } from '../model/token.ts';
import type { TokenDeps } from '../model/token-services.ts';
import { deleteKeyNetworks } from './key-activity-store.ts';
import {
  findSealedTokenOfFirstPair,
  insertFirstPair,
  type RefreshTokenLimits,
  replaceFirstPair,
  updateFirstPairLimits,
} from './refresh-tokens-store.ts';

const purpose = 'refresh token';

/**
 * The refresh token of the account's first pair, to show to its holder. It is made when it is first shown.
 * @returns undefined if it was sealed with another site key: then it does not work here, and the holder must make new keys.
 */
export async function findOrMakeFirstPairToken(deps: TokenDeps, caller: Caller): Promise<string | undefined> {
  const { accountId } = caller;
  const existing = await findSealedTokenOfFirstPair(deps.db, accountId);
  if (existing) return openSealedToken(deps, accountId, existing);
  await insertFirstPair(deps.db, accountId, newFirstPairToken(deps, accountId));
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

/** Replaces the account's first pair of keys and ends its access tokens, everywhere, at once. Named keys stay. */
export async function regenerateFirstPair(deps: TokenDeps, caller: Caller, ipAddress: string): Promise<void> {
  const { accountId } = caller;
  await inTransaction(deps.db, async (trx) => {
    const token = newFirstPairToken(deps, accountId);
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

/** Changes where the keys of the account's first pair work from, and how long they may be idle. It takes effect in every process at once. */
export async function changeFirstPairLimits(
  deps: TokenDeps,
  caller: Caller,
  limits: RefreshTokenLimits,
  ipAddress: string,
): Promise<void> {
  const { accountId } = caller;
  await inTransaction(deps.db, async (trx) => {
    // The limits are stored with the token, which may not exist yet.
    await insertFirstPair(trx, accountId, newFirstPairToken(deps, accountId));
    await updateFirstPairLimits(trx, accountId, limits);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'keys.limits_changed',
      subject: { type: 'account', id: accountId },
      details: { networks: limits.networks, idle_days: limits.idleDays },
    });
    await notify(trx, accountTopic, accountId);
  });
}

/** A new refresh token for a first pair, not yet stored. It is sealed as well as hashed, because `/apikeys` shows it again and again. */
function newFirstPairToken(deps: TokenDeps, accountId: string) {
  const text = newToken('refresh', deps.tokenServices.tag);
  return {
    hash: deps.secrets.hash(purpose, text),
    sealed: deps.secrets.seal(purpose, accountId, text),
    at: deps.clock.now(),
  };
}
