import { copyKeys } from '../../test/people/api-client.ts';
import { pageVisitor } from '../../test/people/page-visitor.ts';
import { median } from '../lib/figures.ts';
import { addManyReferrals } from '../lib/many-referrals.ts';
import { scaled } from '../lib/options.ts';
import { createReferralMaker } from '../lib/referral-load.ts';
import { startBenchSite } from '../lib/site.ts';

const many = 1_000_000;

/** The figures of a site with a million referrals of three years. Target: 1 s for any period. */
export async function benchReports(): Promise<void> {
  const site = await startBenchSite();
  try {
    await createReferralMaker(site);
    const count = scaled(many);
    await addManyReferrals(site, count);
    const person = pageVisitor(site.baseUrl);
    await person.signIn(site.logins.operator);
    const { access } = await copyKeys(person);
    const today = new Date().toISOString().slice(0, 10);
    const read = async (from: string, to: string) => {
      const startMs = performance.now();
      const answer = await fetch(`${site.baseUrl}/api/reports/summary?from=${from}&to=${to}`, {
        headers: { authorization: `Bearer ${access}` },
      });
      await answer.text();
      return { status: answer.status, ms: performance.now() - startMs };
    };
    // Each call reads changes for at most its time limit, and the next one goes on.
    const startMs = performance.now();
    while ((await read(today, today)).status !== 200);
    console.log(
      `reports: ${count} referrals read for the first time in ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
    );
    for (const [what, from, to] of [
      ['all three years', '2020-01-01', today],
      ['the last days', `${today.slice(0, 8)}01`, today],
      ['a year of whole months', '2025-06-01', '2026-05-31'],
    ] as const) {
      const first = await read(from, to);
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) times.push((await read(from, to)).ms);
      console.log(
        `reports: ${what} in ${median(times).toFixed(0)} ms, the first time ${first.ms.toFixed(0)} ms (target: 1,000 ms)`,
      );
    }
  } finally {
    await site.remove();
  }
}
