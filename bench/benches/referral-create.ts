import type { SiteProcess } from '../../test/process/site-process.ts';
import { withBothDatabases } from '../lib/both-databases.ts';
import { asPercent, inWords, median } from '../lib/figures.ts';
import { hasWrk } from '../lib/load.ts';
import { createReferralMaker, measureBareTransaction, untilDelivered } from '../lib/referral-load.ts';

/**
 * `POST /api/referrals` at 50 connections while they are delivered, compared with the bare transaction of three rows.
 * Target: 35 % of its rate. Callers that never pause wait for each other, in the bare
 * transaction too, so its p99 is printed as well.
 */
export async function benchReferralCreate(): Promise<void> {
  if (!hasWrk) return console.log('referral-create: needs wrk');
  await withBothDatabases(measureCreating);
}

async function measureCreating(site: SiteProcess, where: string): Promise<void> {
  const { refer } = await createReferralMaker(site);
  await refer(4);
  const ratios: number[] = [];
  const p99s: number[] = [];
  const p99Ratios: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const waited = await untilDelivered(site);
    const bare = await measureBareTransaction(site, 3);
    const ours = await refer(4);
    ratios.push(ours.perSecond / bare.perSecond);
    p99s.push(ours.p99Ms);
    p99Ratios.push(ours.p99Ms / bare.p99Ms);
    console.log(
      `referrals made ${inWords(ours)}, bare transaction ${inWords(bare)}; those before were delivered after ${waited.toFixed(1)} s`,
    );
  }
  console.log(
    `referral-create: median ${asPercent(median(ratios))} of the bare transaction (target: 35 %), ` +
      `p99 ${median(p99s).toFixed(1)} ms at 50 connections, ` +
      `${median(p99Ratios).toFixed(1)} times the bare one’s, ${where}`,
  );
}
