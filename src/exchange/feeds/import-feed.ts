import type { Actor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { type ImportRecordsOptions, importRecords } from '../import/import-records.ts';
import type { FilePosition } from '../import/model/record.ts';
import type { ImportResult } from '../import/report/import-report.ts';
import { readFeedAddress } from './feed-address.ts';
import { type FeedTiming, feedClient } from './feed-client.ts';
import {
  claimServicesOfFiles,
  findFeed,
  findHandledIds,
  findMissing,
  finishReading,
  restartFeed,
  type SavedFeed,
  savePosition,
} from './feed-store.ts';
import { type FeedPlan, readFeed } from './read-feed.ts';

export type FeedOptions = ImportRecordsOptions & {
  /** Reads the whole feed again, not only what changed, and accepts it even if most of it has vanished. */
  complete?: boolean;
  timing?: FeedTiming;
  /** Stops the import, with its reason, also while it waits for the feed. */
  signal?: AbortSignal;
};

type FeedDeps = Pick<Platform, 'db' | 'clock' | 'settings'>;

const listsNothing = 'The feed lists no services';
const changedMeanwhile = 'The feed changed while it was read, or lists other entries than it counts';

/**
 * Imports the library of another site from its API, Open Referral UK's or HSDS 3.0's: the first time all of it, then only what
 * changed. Services that the feed no longer lists become inactive. An import that was interrupted less than a day ago is continued
 * where it stopped.
 * @throws Problem `feed-unreadable`. What was read before is stored.
 */
export async function importFeed(
  deps: FeedDeps,
  actor: Actor,
  address: string,
  { complete = false, timing = {}, ...options }: FeedOptions = {},
): Promise<ImportResult> {
  const { db, clock, settings } = deps;
  const { name, ...base } = readFeedAddress(address);
  const started = clock.now();
  const savedFeed = complete ? undefined : await findFeed(db, name);
  const isContinued =
    savedFeed?.position && Date.parse(savedFeed.position.startedAt) > started.getTime() - dayMs;
  const startedAt = isContinued ? savedFeed.position!.startedAt : started.toISOString();
  if (!options.dryRun && !isContinued) await restartFeed(db, { name, readsEverything: complete });
  const plan = await makePlan(
    deps,
    name,
    isContinued && !options.dryRun ? savedFeed : { ...savedFeed, position: null },
  );
  const feed = readFeed(feedClient(settings.mode, clock, base, timing, options.signal), plan);
  const savedIds = new Set(plan.seen);
  const onStored = async ({ page = 1 }: FilePosition) => {
    const newIds = [...feed.seen].filter((id) => !savedIds.has(id));
    for (const id of newIds) savedIds.add(id);
    // Only a full import can continue after an interruption. Changes are few, and are read again.
    if (plan.changedSince) return;
    await savePosition(db, name, { startedAt, page, total: feed.total() ?? null }, newIds);
  };
  const { records } = feed;
  // An empty feed more often means that its server lost something than that all services ended.
  const allIds = () => (feed.ids()?.size === 0 && !complete ? undefined : feed.ids());
  const source = { name, isFeed: true, records, allIds, mayRetireMost: complete, onStored };
  const result = await importRecords(deps, actor, source, options);
  // The rest was not read, so the next import continues from there.
  if (result.gaveUp !== undefined) return result;
  const ids = allIds();
  if (!ids)
    result.notes.push(
      `${feed.ids() ? listsNothing : changedMeanwhile}, so nothing was made inactive this time.`,
    );
  if (options.dryRun) return result;
  if (ids) await inTransaction(db, (trx) => claimServicesOfFiles(trx, name, [...ids]));
  // One day earlier than needed: clocks differ, and many feeds know only the day of a change.
  await finishReading(db, name, new Date(Date.parse(startedAt) - dayMs));
  return result;
}

async function makePlan({ db }: FeedDeps, name: string, saved: Partial<SavedFeed>): Promise<FeedPlan> {
  const position = saved.position ?? undefined;
  return {
    changedSince: saved.changedSince ?? undefined,
    position,
    seen: position && saved.id ? await findHandledIds(db, saved.id) : new Set(),
    missing: (ids) => findMissing(db, name, ids),
  };
}
