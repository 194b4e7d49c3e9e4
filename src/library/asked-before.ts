import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { Request } from '../platform/http/index.ts';
import { oneForEach } from '../platform/one-for-each.ts';
import { localTime } from './hours/local-time.ts';
import type { Which } from './search/filters.ts';
import { recallPage } from './search/remembered-store.ts';
import type { SearchedPage } from './search/search-listing.ts';

const mostAddresses = 500;
const longestAddress = 300;

/** Which page an address stood for, and on which day where that matters. */
type Asked = { key: string; today: string | undefined };

const memoryOf = oneForEach((_: Db) => new LRUCache<string, Asked>({ max: mostAddresses }));

/**
 * Notes what was asked for, by its address letter for letter. A list of who can open referrals is not noted: who can, changes
 * without the library.
 */
export function noteAsked(
  db: Db,
  { method, url }: Request,
  key: string,
  { today, filters }: Partial<Which>,
): void {
  if (method === 'POST' || filters?.answering !== undefined || url.length > longestAddress) return;
  memoryOf(db).set(url, { key, today });
}

/** The page that was asked for by the very same address before, where it is in memory and certain to be current. */
export function askedBefore(db: Db, clock: Clock, { url }: Request): SearchedPage | undefined {
  const asked = memoryOf(db).get(url);
  if (!asked) return undefined;
  if (asked.today !== undefined && asked.today !== localTime(clock.now()).day.date) return undefined;
  return recallPage<SearchedPage>(db, asked.key);
}
