import { sql } from 'kysely';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { withBothDatabases } from '../lib/both-databases.ts';
import { inWords } from '../lib/figures.ts';
import { measureBesideHanging } from '../lib/hanging-receivers.ts';
import { hasWrk } from '../lib/load.ts';
import { withPlatformOf } from '../lib/platform-of.ts';
import { createReferralMaker, type ReferralMaker, untilDelivered } from '../lib/referral-load.ts';

/**
 * The time from making a referral until each of its deliveries is done, by the database's clock. A test site captures
 * them, while others are made at 50 connections. The time begins before the 201 is sent.
 * Target: 1 s at p99. Also measures deliveries to a system beside others that hang.
 */
export async function benchReferralDelivery(): Promise<void> {
  if (!hasWrk) return console.log('referral-delivery: needs wrk');
  await withBothDatabases(measureDelivery);
  await measureBesideHanging();
}

async function measureDelivery(site: SiteProcess, where: string): Promise<void> {
  const { refer } = await createReferralMaker(site);
  await refer(3);
  const load = { 'as fast as they are answered': 0, 'with a pause of two seconds on average': 2000 };
  for (const [loadName, pauseMs] of Object.entries(load))
    await measureLoad(site, where, refer, loadName, pauseMs);
}

async function measureLoad(
  site: SiteProcess,
  where: string,
  refer: ReferralMaker['refer'],
  loadName: string,
  pauseMs: number,
): Promise<void> {
  await untilDelivered(site);
  const since = await withPlatformOf(site.env, async ({ clock }) => clock.now());
  const rate = await refer(10, pauseMs);
  const after = await untilDelivered(site);
  const { count, p50, p99 } = await readTimes(site, since);
  console.log(
    `referrals made ${loadName} ${inWords(rate)}; the last was delivered ${after.toFixed(1)} s after them`,
  );
  console.log(
    `referral-delivery: p50 ${p50.toFixed(2)} s, p99 ${p99.toFixed(2)} s of ${count} deliveries, ${loadName} (target: 1 s at p99), ${where}`,
  );
}

type Times = { count: number; p50: number; p99: number };

/** @throws if a message was not sent. */
function readTimes(site: SiteProcess, since: Date): Promise<Times> {
  return withPlatformOf(site.env, async ({ db }) => {
    const { rows } = await sql<Times & { sent: number }>`
      with times as (
        select extract(epoch from a.at - d.created_at)::float8 as seconds
        from deliveries d left join delivery_attempts a
          on a.delivery_id = d.id and a.outcome in ('sent', 'received', 'acknowledged')
        where d.created_at >= ${since} and d.status <> 'suppressed')
      select count(*)::int as count, count(seconds)::int as sent,
        percentile_disc(0.5) within group (order by seconds) as p50,
        percentile_disc(0.99) within group (order by seconds) as p99
      from times`.execute(db);
    const { sent, ...times } = rows[0]!;
    if (sent !== times.count) throw new Error(`${times.count - sent} of ${times.count} were not delivered`);
    return times;
  });
}
