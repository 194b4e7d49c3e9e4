import { LRUCache } from 'lru-cache';
import { accountTopic, type Caller, callerOf } from '../../accounts/index.ts';
import { createBatchLoader } from '../../platform/concurrency/batch-loader.ts';
import type { Db, Notices } from '../../platform/database/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { findAccessTokens, type StoredAccessToken } from './access-tokens-store.ts';

/** A caller with an access token, and what is known of that token. */
export type TokenCaller = Caller & {
  readonly token: Pick<StoredAccessToken, 'key' | 'source' | 'issuedAt' | 'validTo'>;
};

/** A stored token with its caller, which is made once and forgotten with the token. */
export type KnownToken = StoredAccessToken & { readonly caller: TokenCaller };

export type TokenCache = {
  /** Finds a token by its hash (see `hashText`): in memory if that is certain to be current, else in the database. */
  find(hash: string): KnownToken | undefined | Promise<KnownToken | undefined>;
};

type Entry = { token: KnownToken; changeCount: number };

const maxEntries = 50_000;
const maxEntryAgeMs = 30_000;

/**
 * Remembers tokens for at most 30 seconds. When an account changes, its entries are out of date at once. While notices do not arrive,
 * every token is looked up in the database. A result is not remembered if a notice came while it was loaded. Unknown tokens are not
 * remembered either, so that guesses do not push out known ones.
 */
export function createTokenCache(
  db: Db,
  notices: Notices,
  { tokenLookups }: Metrics,
  max: number = maxEntries,
): TokenCache {
  const entries = new LRUCache<string, Entry>({ max, ttl: maxEntryAgeMs, ttlResolution: 1000 });
  const loading = new Map<string, Promise<KnownToken | undefined>>();
  const changeCounts = new Map<string, number>();
  const changeCountOf = (accountId: string) => changeCounts.get(accountId) ?? 0;
  let noticeCount = 0;
  notices.on(accountTopic, (accountId) => {
    noticeCount += 1;
    changeCounts.set(accountId, changeCountOf(accountId) + 1);
    loading.clear();
  });
  notices.onGap(() => {
    noticeCount += 1;
    entries.clear();
    changeCounts.clear();
    loading.clear();
  });

  const findInDatabase = createBatchLoader((hashes) => findAccessTokens(db, hashes));
  const load = async (hash: string): Promise<KnownToken | undefined> => {
    const token = await findInDatabase(hash);
    if (!token) return undefined;
    const { account, key } = token;
    const keyFields = key && { scopes: key.scopes, keyName: key.name };
    return { ...token, caller: { ...callerOf(account, 'token'), ...keyFields, token } };
  };
  const loadAndRemember = async (hash: string) => {
    const countBefore = noticeCount;
    const token = await load(hash);
    if (token && noticeCount === countBefore)
      entries.set(hash, { token, changeCount: changeCountOf(token.account.id) });
    return token;
  };
  return {
    find(hash) {
      if (!notices.healthy()) {
        tokenLookups.inc({ in: 'database' });
        return load(hash);
      }
      const entry = entries.get(hash);
      if (entry && entry.changeCount === changeCountOf(entry.token.account.id)) {
        tokenLookups.inc({ in: 'memory' });
        return entry.token;
      }
      tokenLookups.inc({ in: 'database' });
      const pending = loading.get(hash);
      if (pending) return pending;
      const answer = loadAndRemember(hash).finally(() => {
        if (loading.get(hash) === answer) loading.delete(hash);
      });
      loading.set(hash, answer);
      return answer;
    },
  };
}
