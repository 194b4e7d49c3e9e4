import { mailOperators } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayMs, hourMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { openFeedAddress, sealFeedAddress } from '../feeds/feed-address.ts';
import { addImportJob } from './add-import-job.ts';
import type { ImportJob } from './job-store.ts';
import {
  deleteScheduledFeed,
  hasFailedBefore,
  isBeingImported,
  lockDueFeeds,
  type ScheduledFeed,
  saveNextImport,
  saveScheduledFeed,
} from './scheduled-feeds-store.ts';

/** When the job runs each night, in UTC. */
export const scheduledFeedsTime = '03:29';

/** How often the site can import a feed by itself, in days. */
export const feedIntervals = { night: 1, week: 7 } as const;
export type FeedInterval = keyof typeof feedIntervals;

type Operator = Actor & { id: string };

/** Has the site import a feed by itself from now on. @param address the whole address, with its query, which may be secret */
export async function scheduleFeed(
  trx: Trx,
  { clock, secrets }: Pick<Platform, 'clock' | 'secrets'>,
  operator: Operator,
  { name, address, interval }: { name: string; address: string; interval: FeedInterval },
): Promise<void> {
  const at = clock.now();
  const everyDays = feedIntervals[interval];
  const addressSealed = sealFeedAddress(secrets, name, address);
  const feed = { name, addressSealed, everyDays, accountId: operator.id, scheduledBy: operator.name };
  await saveScheduledFeed(trx, { ...feed, nextAt: nextAtFrom(at, everyDays) }, at);
  await recordAudit(trx, {
    at,
    actor: operator,
    action: 'library.feed_scheduled',
    details: { source: name, every_days: everyDays },
  });
}

/** Ends the scheduled imports of a feed. @throws Problem `not-found` if it is not scheduled. */
export async function unscheduleFeed(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  operator: Operator,
  name: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await endSchedule(trx, { clock }, operator, name))) throw new Problem(notFound);
  });
}

/** Ends the scheduled imports of a feed. @returns false if it was not scheduled. */
export async function endSchedule(
  trx: Trx,
  { clock }: Pick<Platform, 'clock'>,
  operator: Operator,
  name: string,
): Promise<boolean> {
  if (!(await deleteScheduledFeed(trx, name))) return false;
  await recordAudit(trx, {
    at: clock.now(),
    actor: operator,
    action: 'library.feed_unscheduled',
    details: { source: name },
  });
  return true;
}

/** The `import-scheduled-feeds` job: queues an import of each feed that is due, unless an import of that feed still runs. */
export async function importScheduledFeeds(deps: Platform): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  await inTransaction(db, async (trx) => {
    for (const feed of await lockDueFeeds(trx, now)) {
      const { name, addressSealed, everyDays, accountId, scheduledBy } = feed;
      if (await isBeingImported(trx, name)) continue;
      if (openFeedAddress(deps.secrets, name, addressSealed) === undefined) {
        await endFeedWithUnreadableAddress(trx, deps, name);
        continue;
      }
      const owner = { accountId, startedBy: `the site, as ${scheduledBy} chose` };
      const job = { name, sourceName: name, isFeed: true, isComplete: false, dryRun: false, ...owner };
      await addImportJob(trx, { ...job, isScheduled: true, addressSealed }, now);
      await saveNextImport(trx, name, nextAtFrom(now, everyDays));
    }
  });
}

/** When the site imports a scheduled feed next. */
export function nextRunOf({ nextAt }: Pick<ScheduledFeed, 'nextAt'>): Date {
  const sameDay = new Date(`${nextAt.toISOString().slice(0, 10)}T${scheduledFeedsTime}Z`);
  return sameDay < nextAt ? new Date(sameDay.getTime() + dayMs) : sameDay;
}

async function endFeedWithUnreadableAddress(trx: Trx, deps: Platform, name: string): Promise<void> {
  await deleteScheduledFeed(trx, name);
  const paragraphs = [
    `The library is no longer imported from ${name}: its address was stored with another site key. Import it once by hand and schedule it again.`,
    `Import services: ${deps.settings.baseUrl}/operator/library`,
  ];
  await mailOperators(trx, deps, 'site', { subject: 'A scheduled import has ended', paragraphs });
}

/** The job runs once a night. The interval is half a day shorter, so that a feed is due in the last of its nights and not the next. */
function nextAtFrom(from: Date, everyDays: number): Date {
  return new Date(from.getTime() + everyDays * dayMs - 12 * hourMs);
}

/** Emails operators that an import which the site started has failed, unless the one before failed too. */
export async function mailAboutFailedFeed(
  trx: Trx,
  deps: Platform,
  job: ImportJob,
  failure: string,
): Promise<void> {
  if (await hasFailedBefore(trx, job.sourceName, job.id)) return;
  const paragraphs = [
    `The library could not be imported from ${job.name}. ${failure}`,
    `See the import: ${deps.settings.baseUrl}/operator/library/imports/${job.id}`,
    'The site tries again at the next scheduled time. You are told again only if it fails after it has worked.',
  ];
  await mailOperators(trx, deps, 'site', { subject: 'A scheduled import failed', paragraphs });
}
