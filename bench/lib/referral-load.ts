import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { newReferralExample } from '../../src/referrals/model/schemas/examples.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { signInWithKeys } from './key-holder.ts';
import { measure, onCore, type Rate } from './load.ts';
import { scaled } from './options.ts';
import { withPlatformOf } from './platform-of.ts';

const callers = 50;
const timeoutSeconds = 300;

/** What a referrer's client system sends. Each person is referred only once. */
const body = JSON.stringify({
  ...newReferralExample,
  patient: { ...newReferralExample.patient, nhs_number: '{number}', family_name: '{name}' },
});

export type ReferralMaker = {
  /** How long each connection pauses between its referrals, on average. */
  refer(seconds: number, pauseMs?: number): Promise<Rate>;
};

/** Somebody who makes referrals on a site at 50 connections, each of another person. One has been made already. */
export async function createReferralMaker(site: SiteProcess): Promise<ReferralMaker> {
  const { access } = await signInWithKeys(site);
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
  const path = '/api/referrals';
  const first = await fetch(site.baseUrl + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(newReferralExample),
  });
  if (first.status !== 201) throw new Error(`a referral was answered ${first.status}: ${await first.text()}`);
  let made = 0;
  return {
    async refer(seconds, pauseMs = 0) {
      const script = { name: 'new-patients', args: [body, String(made), String(pauseMs)] };
      const rate = await measure(site.baseUrl, { path, headers, script, connections: callers, seconds });
      // One number in eleven is skipped, and some referrals are still in progress when the time is up.
      made += Math.ceil((rate.calls + callers) * 1.2);
      return rate;
    },
  };
}

/** The bare transaction on the site's database, by a process on the site's core, with the same number of callers. */
export async function measureBareTransaction(site: SiteProcess, seconds: number): Promise<Rate> {
  const [program, args] = onCore(0, [
    process.execPath,
    'bench/peers/bare-transaction.ts',
    ...[scaled(seconds), callers].map(String),
  ]);
  const { stdout } = await promisify(execFile)(program, args, { env: site.env });
  return JSON.parse(stdout);
}

/** Waits until every referral has been delivered. @returns how many seconds that took. */
export function untilDelivered(site: SiteProcess): Promise<number> {
  return withPlatformOf(site.env, async ({ db }) => {
    const began = performance.now();
    for (;;) {
      const { rows } = await sql<{ waiting: boolean }>`
        select exists (select from deliveries where status in ('queued', 'sending')) as waiting`.execute(db);
      const seconds = (performance.now() - began) / 1000;
      if (!rows[0]!.waiting) return seconds;
      if (seconds > timeoutSeconds) throw new Error(`after ${timeoutSeconds} s not everything was delivered`);
      await delay(250);
    }
  });
}
