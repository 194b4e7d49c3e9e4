import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliveryListener } from '../../src/delivery/plan/deliveries-of-changes.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import type { StatusChange } from '../../src/referrals/index.ts';
import { until } from '../../test/app/until.ts';
import { createServiceCalledAt } from '../../test/delivery/receivers.ts';
import { storeReferral } from '../../test/delivery/test-site.ts';
import { aHangingSystem } from '../../test/network/hanging-system.ts';
import { testCertificate } from '../../test/network/mail-server.ts';
import { webhookReceiver } from '../../test/network/webhook-receiver.ts';
import { liveEnv } from '../../test/process/live-env.ts';
import type { SiteProcess } from '../../test/process/site-process.ts';
import { scaled } from './options.ts';
import { withPlatformOf } from './platform-of.ts';
import { startBenchSite } from './site.ts';

const answersAfterMs = 100;
const timeoutMs = 300_000;
/** As many as the jobs that a process runs at once. */
const hangingSystemCount = 5;
/** More than the site tries while we measure. */
const referralsPerHangingSystem = 20;

/**
 * How fast a live site delivers to a system that answers after a tenth of a second. First alone; then beside systems
 * that accept each call and never answer, after the site has called each of them twice.
 */
export async function measureBesideHanging(): Promise<void> {
  const receiver = await startSlowReceiver();
  const silent = await Promise.all(Array.from({ length: hangingSystemCount }, aHangingSystem));
  const site = await startLiveSite();
  try {
    const count = scaled(300);
    console.log(
      `to one that answers after ${answersAfterMs} ms, alone: ${await receiver.deliverAndMeasure(site, count)}`,
    );
    await queueReferrals(
      site,
      ...silent.map(({ url }) => ({ url: toPublicUrl(url), count: referralsPerHangingSystem })),
    );
    await until(
      () => silent.reduce((sum, { calls }) => sum + calls(), 0) >= 2 * hangingSystemCount,
      timeoutMs,
    );
    const beside = await receiver.deliverAndMeasure(site, count);
    console.log(`referral-delivery: to the same, beside ${hangingSystemCount} that hang: ${beside}`);
  } finally {
    await site.remove();
    receiver.close();
    for (const { close } of silent) close();
  }
}

async function startSlowReceiver() {
  const system = await webhookReceiver({ tls: testCertificate, host: 'system.example.org' });
  const answeredAtMs: number[] = [];
  system.answer = (response) =>
    void setTimeout(() => {
      answeredAtMs.push(performance.now());
      response.writeHead(204).end();
    }, answersAfterMs);
  return {
    close: system.close,
    async deliverAndMeasure(site: SiteProcess, count: number): Promise<string> {
      answeredAtMs.length = 0;
      await queueReferrals(site, { url: system.url, count });
      const queuedAtMs = performance.now();
      await until(() => answeredAtMs.length >= count, timeoutMs);
      const [first, last] = [answeredAtMs[0]!, answeredAtMs.at(-1)!];
      const perSecond = (count - 1) / ((last - first) / 1000);
      return `${perSecond.toFixed(1)} referrals/s, the first after ${((first - queuedAtMs) / 1000).toFixed(1)} s`;
    },
  };
}

/**
 * An address that the site takes for the open internet, but that leads to this machine. See
 * test/rehearsal/open-internet.ts.
 */
const toPublicUrl = (url: string) => `https://system.example.org:${new URL(url).port}/told`;

async function startLiveSite(): Promise<SiteProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-bench-'));
  const certificate = join(folder, 'cert.pem');
  await writeFile(certificate, testCertificate.cert);
  try {
    return await startBenchSite({
      ...liveEnv,
      ONWARD_SAMPLE: 'false',
      NODE_EXTRA_CA_CERTS: certificate,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, '..', '..', 'test', 'rehearsal', 'open-internet.ts')}`,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Queues referrals to services at these addresses, all at the same moment. */
function queueReferrals(site: SiteProcess, ...waiting: { url: string; count: number }[]): Promise<void> {
  return withPlatformOf(site.env, async (platform, pool) => {
    const changes: StatusChange[] = [];
    for (const { url, count } of waiting) {
      const service_id = await createServiceCalledAt(platform, url);
      for (let made = 0; made < count; made += 1) {
        const referral = await storeReferral(pool, { service_id, simulated: false, gp_practice: null });
        changes.push({ referral, from: null, by: 'referrer', actorId: null, at: platform.clock.now() });
      }
    }
    await inTransaction(platform.db, (trx) => deliveryListener.onStatusChange(trx, changes));
  });
}
