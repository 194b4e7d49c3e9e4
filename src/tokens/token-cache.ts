import { LRUCache } from 'lru-cache';
import { accountChanged } from '../accounts/index.ts';
import type { Db, Notices } from '../platform/database/index.ts';
import { findAccessToken, type StoredAccessToken } from './store.ts';

export type TokenCache = {
  /** The token with this hash, from memory where that is certain to be current, else from the database. */
  find(hash: Buffer): StoredAccessToken | undefined | Promise<StoredAccessToken | undefined>;
};

type Entry = { token: StoredAccessToken; generation: number };

const mostEntries = 50_000;
const oldestEntryMs = 30_000;

/**
 * Remembers tokens for 30 seconds at most. News that an account changed makes its entries worthless at once; while
 * such news cannot be heard, nothing is taken from memory. An answer that was under way when the news came is not
 * remembered either. Unknown tokens are not remembered, so that guessing does not push out the known.
 */
export function createTokenCache(db: Db, notices: Notices): TokenCache {
  const entries = new LRUCache<string, Entry>({ max: mostEntries, ttl: oldestEntryMs, ttlResolution: 1000 });
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
    underWay.clear();
  });

  const load = async (key: string, hash: Buffer) => {
    const newsBefore = news;
    const token = await findAccessToken(db, hash);
    if (token && news === newsBefore) entries.set(key, { token, generation: generationOf(token.account.id) });
    return token;
  };
  return {
    find(hash) {
      if (!notices.healthy()) return findAccessToken(db, hash);
      const key = hash.toString('latin1');
      const entry = entries.get(key);
      if (entry && entry.generation === generationOf(entry.token.account.id)) return entry.token;
      const waiting = underWay.get(key);
      if (waiting) return waiting;
      const loading = load(key, hash).finally(() => {
        if (underWay.get(key) === loading) underWay.delete(key);
      });
      underWay.set(key, loading);
      return loading;
    },
  };
}
