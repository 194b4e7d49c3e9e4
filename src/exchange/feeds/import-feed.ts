import type { Actor } from '../../audit/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type ImportRecordsOptions, importRecords } from '../import/import-records.ts';
import type { ImportResult } from '../import/report/import-report.ts';
import type { Place } from '../import/report/record.ts';
import { readFeedAddress } from './feed-address.ts';
import { type FeedManners, feedClient } from './feed-client.ts';
import {
  beginAnew,
  claimListed,
  endReading,
  findFeed,
  findMissing,
  findSeen,
  type KeptFeed,
  keepPosition,
} from './feed-store.ts';
import { type FeedPlan, readFeed } from './read-feed.ts';

export type FeedOptions = ImportRecordsOptions & {
  /** Reads all of it anew, not only what changed, and takes it as right even if most of it vanished. */
  complete?: boolean;
  manners?: FeedManners;
  /** Stops it, with its reason, also while the feed is waited for. */
  signal?: AbortSignal;
};

type FeedDeps = Pick<Platform, 'db' | 'clock' | 'settings'>;

const listsNothing = 'The feed lists no services';
const movedOn = 'The feed changed while it was read, or lists other entries than it counts';
const dayMs = 24 * 60 * 60_000;

/**
 * Reads the library of another site from its API: Open Referral UK's or HSDS 3.0's. The first time all of it, then what
 * changed; what it does not list any more becomes inactive. A reading that was cut off goes on where it stopped, if that
 * is less than a day ago.
 * @throws Problem `feed-unreadable`; what was read until then is stored.
 */
export async function importFeed(
  deps: FeedDeps,
  actor: Actor,
  address: string,
  { complete = false, manners = {}, ...options }: FeedOptions = {},
): Promise<ImportResult> {
  const { db, clock, settings } = deps;
  const { name, ...place } = readFeedAddress(address);
  const started = clock.now();
  const kept = complete ? undefined : await findFeed(db, name);
  const goesOn = kept?.position && Date.parse(kept.position.startedAt) > started.getTime() - dayMs;
  const startedAt = goesOn ? kept.position!.startedAt : started.toISOString();
  if (!options.dryRun && !goesOn) await beginAnew(db, name, complete);
  const plan = await planFor(deps, name, goesOn && !options.dryRun ? kept : { ...kept, position: null });
  const feed = readFeed(feedClient(settings.mode, clock, place, manners, options.signal), plan);
  const written = new Set(plan.seen);
  const saved = async ({ page = 1 }: Place) => {
    const fresh = [...feed.seen].filter((id) => !written.has(id));
    for (const id of fresh) written.add(id);
    // Only a reading of everything can go on: changes are few, and are read again.
    if (plan.changedSince) return;
    await keepPosition(db, name, { startedAt, page, total: feed.total() ?? null }, fresh);
  };
  const { records } = feed;
  // A feed of nothing is more often one whose server has lost something than the end of all services.
  const entries = () => (feed.entries()?.size === 0 && !complete ? undefined : feed.entries());
  const source = { name, records, allIds: entries, mayLoseMost: complete, onStored: saved };
  const result = await importRecords(deps, actor, source, options);
  // What comes after is not known, so it goes on from there the next time.
  if (result.gaveUp !== undefined) return result;
  const listed = entries();
  if (!listed)
    result.notes.push(`${feed.entries() ? listsNothing : movedOn}, so nothing was made inactive this time.`);
  if (options.dryRun) return result;
  if (listed) await claimListed(db, name, [...listed]);
  // A day more than needed: clocks differ, and many feeds know only the day of a change.
  await endReading(db, name, new Date(Date.parse(startedAt) - dayMs));
  return result;
}

async function planFor({ db }: FeedDeps, name: string, kept: Partial<KeptFeed>): Promise<FeedPlan> {
  const position = kept.position ?? undefined;
  return {
    changedSince: kept.changedSince ?? undefined,
    position,
    seen: position && kept.id ? await findSeen(db, kept.id) : new Set(),
    missing: (ids) => findMissing(db, name, ids),
  };
}
