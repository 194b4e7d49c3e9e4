import type { SiteProcess } from '../../test/process/site-process.ts';
import { withBothDatabases } from '../lib/both-databases.ts';
import { asPercent, inWords, median } from '../lib/figures.ts';
import { signInWithKeys } from '../lib/key-holder.ts';
import { hasWrk, measure } from '../lib/load.ts';
import { addManyTokens } from '../lib/many-tokens.ts';
import { type Peer, startCeiling } from '../lib/peer.ts';

/** More than twice what the site remembers, so each token is forgotten before it comes again. */
const tokens = 120_000;

/**
 * `GET /api/token/status`, each time with a token that the site does not remember: every one is read from PostgreSQL.
 * Target: 15 % of an empty Fastify handler in the same run.
 */
export async function benchTokenCold(): Promise<void> {
  if (!hasWrk) return console.log('token-cold: needs wrk');
  const empty = await startCeiling();
  try {
    await measure(empty.baseUrl, { path: '/', seconds: 2 });
    await withBothDatabases((site, where) => measureCold(site, where, empty));
  } finally {
    empty.stop();
  }
}

async function measureCold(site: SiteProcess, where: string, empty: Peer): Promise<void> {
  await signInWithKeys(site);
  const file = await addManyTokens(site, site.logins.referrer.email, tokens);
  let sent = 0;
  const cold = async (seconds: number) => {
    const script = { name: 'each-token', args: [file, String(sent)] };
    const rate = await measure(site.baseUrl, { path: '/api/token/status', script, seconds });
    sent += rate.calls;
    return rate;
  };
  await cold(3);
  const ratios: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const ceiling = await measure(empty.baseUrl, { path: '/', seconds: 2 });
    const ours = await cold(2);
    ratios.push(ours.perSecond / ceiling.perSecond);
    console.log(`token/status cold ${inWords(ours)}, empty handler ${inWords(ceiling)}`);
  }
  console.log(`token-cold: median ${asPercent(median(ratios))} of an empty handler (target: 15 %), ${where}`);
}
