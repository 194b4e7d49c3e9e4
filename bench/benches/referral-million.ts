import { copyKeys } from '../../test/people/api-client.ts';
import { pageVisitor } from '../../test/people/page-visitor.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { inWords, median } from '../lib/figures.ts';
import { hasWrk, measure } from '../lib/load.ts';
import { addManyReferrals } from '../lib/many-referrals.ts';
import { scaled } from '../lib/options.ts';
import { createReferralMaker, untilDelivered } from '../lib/referral-load.ts';
import { startBenchSite } from '../lib/site.ts';

const many = 1_000_000;

/**
 * A site with a million referrals and an empty one, by turns on the same core, each with its own PostgreSQL.
 * Target: a provider's worklist page within 50 ms, and a referral made in at most 1.2 times the time of the empty
 * site.
 */
export async function benchReferralMillion(): Promise<void> {
  if (!hasWrk) return console.log('referral-million: needs wrk');
  const empty = await startBenchSite();
  const full = await startBenchSite();
  try {
    const makers = { empty: await createReferralMaker(empty), full: await createReferralMaker(full) };
    const count = scaled(many);
    const startMs = performance.now();
    await addManyReferrals(full, count);
    console.log(`${count} referrals inserted in ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
    await measureWorklists(full);
    await makers.empty.refer(3);
    await makers.full.refer(3);
    const ratios: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await untilDelivered(empty);
      await untilDelivered(full);
      const onEmpty = await makers.empty.refer(4);
      await untilDelivered(empty);
      const onFull = await makers.full.refer(4);
      ratios.push(onEmpty.perSecond / onFull.perSecond);
      console.log(`referrals made among ${count} ${inWords(onFull)}, on an empty site ${inWords(onEmpty)}`);
    }
    console.log(
      `referral-million: a referral takes ${median(ratios).toFixed(2)} times as long as on an empty site (target: 1.2)`,
    );
  } finally {
    await full.remove();
    await empty.remove();
  }
}

/** The worklist pages of one provider after another. */
async function measureWorklists(site: SiteProcess): Promise<void> {
  const person = pageVisitor(site.baseUrl);
  await person.signIn(site.logins.provider);
  const { access } = await copyKeys(person);
  const token = { authorization: `Bearer ${access}` };
  const cookies = { cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const oldest = await deepCursor(site, token);
  const pages: [string, Record<string, string>][] = [
    ['/referrals', cookies],
    ['/referrals?status=requested', cookies],
    ['/referrals?overdue=yes', cookies],
    ['/api/referrals', token],
    ['/api/referrals?direction=received&status=requested,accepted,in-progress,on-hold', token],
    ['/api/referrals?overdue=true', token],
    [`/api/referrals?limit=50&cursor=${oldest}`, token],
  ];
  for (const [path, headers] of pages) {
    const load = { path, headers, connections: 1 };
    await measure(site.baseUrl, { ...load, seconds: 1 });
    const rate = await measure(site.baseUrl, { ...load, seconds: 3 });
    const shown = path.replace(/cursor=.*/, 'cursor=… (20 pages on)');
    console.log(`referral-million: provider’s ${shown} ${inWords(rate)} (target: 50 ms)`);
  }
}

/** The cursor after the twentieth page. */
async function deepCursor(site: SiteProcess, headers: Record<string, string>): Promise<string> {
  let cursor = '';
  for (let page = 1; page <= 20; page += 1) {
    const answer = await fetch(`${site.baseUrl}/api/referrals?limit=50${cursor && `&cursor=${cursor}`}`, {
      headers,
    });
    const { next_cursor } = (await answer.json()) as { next_cursor: string | null };
    if (next_cursor === null) return cursor;
    cursor = encodeURIComponent(next_cursor);
  }
  return cursor;
}
