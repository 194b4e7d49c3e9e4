import { LRUCache } from 'lru-cache';
import { accountChanged } from '../../accounts/index.ts';
import { batchLoader } from '../../platform/batch-loader.ts';
import type { Db, Notices } from '../../platform/database/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { findAccessTokens, type StoredAccessToken } from './access-tokens-store.ts';

export type TokenCache = {
  /**
   * The token with this hash (as `hashText` gives it), from memory where that is certain to be current, else from the
   * database.
   */
  find(hash: string): StoredAccessToken | undefined | Promise<StoredAccessToken | undefined>;
};

type Entry = { token: StoredAccessToken; generation: number };

const maxEntries = 50_000;
const maxEntryAgeMs = 30_000;

/**
 * Remembers tokens for 30 seconds at most. News that an account changed makes its entries worthless at once; while
 * such news cannot be heard, nothing is taken from memory. An answer that was under way when the news came is not
 * remembered either. Unknown tokens are not remembered, so that guessing does not push out the known.
 */
export function createTokenCache(
  db: Db,
  notices: Notices,
  { tokenLookups }: Metrics,
  max: number = maxEntries,
): TokenCache {
  const entries = new LRUCache<string, Entry>({ max, ttl: maxEntryAgeMs, ttlResolution: 1000 });
  const underWay = new Map<string, Promise<StoredAccessToken | undefined>>();
  const generations = new Map<string, number>();
  const generationOf = (accountId: string) => generations.get(accountId) ?? 0;
  let news = 0;
  notices.on(accountChanged, (accountId) => {
    news += 1;
    generations.set(accountId, generationOf(accountId) + 1);
    underWay.clear();
  });
  notices.onGap(() => {
    news += 1;
    entries.clear();
    generations.clear();
    underWay.clear();
  });

  const ask = batchLoader((hashes) => findAccessTokens(db, hashes));
  const load = async (hash: string) => {
    const newsBefore = news;
    const token = await ask(hash);
    if (token && news === newsBefore)
      entries.set(hash, { token, generation: generationOf(token.account.id) });
    return token;
  };
  return {
    find(hash) {
      if (!notices.healthy()) {
        tokenLookups.inc({ in: 'database' });
        return ask(hash);
      }
      const entry = entries.get(hash);
      if (entry && entry.generation === generationOf(entry.token.account.id)) {
        tokenLookups.inc({ in: 'memory' });
        return entry.token;
      }
      tokenLookups.inc({ in: 'database' });
      const waiting = underWay.get(hash);
      if (waiting) return waiting;
      const loading = load(hash).finally(() => {
        if (underWay.get(hash) === loading) underWay.delete(hash);
      });
      underWay.set(hash, loading);
      return loading;
    },
  };
}
