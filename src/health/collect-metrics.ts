import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { countDeliveries } from '../delivery/index.ts';
import type { Database } from '../platform/database/index.ts';
import type { App } from '../platform/http/index.ts';
import { countJobs } from '../platform/jobs/index.ts';
import { describeError } from '../platform/log/index.ts';
import { allCounters } from '../platform/metrics/index.ts';
import type { Platform } from '../platform/platform.ts';
import { requestHistogram } from './request-histogram.ts';

export type MetricsDeps = Platform & { readonly pool: Database['pool'] };

/** Everything that `/metrics` says, worked out when it is asked. Process and event loop are watched from now on. */
export function createCollector(app: App, deps: MetricsDeps): () => Promise<{ type: string; text: string }> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(requestHistogram(app) as unknown as Metric);
  poolGauge(registry, deps.pool);
  for (const { name, help, label, counts } of allCounters()) {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(counts)) this.inc({ [label]: value }, count);
      },
    });
  }
  const readDatabase = databaseGauges(registry, deps);
  return async () => {
    await readDatabase();
    return { type: registry.contentType, text: await registry.metrics() };
  };
}

function poolGauge(registry: Registry, pool: MetricsDeps['pool']): void {
  new Gauge({
    name: 'onward_database_connections',
    help: 'Connections of this process: busy, idle, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'awaited' }, pool.waitingCount);
    },
  });
}

type Found = {
  jobs: Awaited<ReturnType<typeof countJobs>>;
  deliveries: Awaited<ReturnType<typeof countDeliveries>>;
};

/** What all processes of the site share. While the database is away the other metrics are wanted most, so they go on. */
function databaseGauges(registry: Registry, deps: MetricsDeps): () => Promise<void> {
  const { db, log } = deps;
  const deliveryCounts = countedNowAndThen(deps);
  const registers = [registry];
  const up = new Gauge({ name: 'onward_database_up', help: '1 while the database answers', registers });
  const jobs = new Gauge({
    name: 'onward_jobs',
    help: 'Jobs of the site: waiting, running, or given up by the queue',
    labelNames: ['job', 'state'],
    registers,
  });
  const deliveries = new Gauge({
    name: 'onward_deliveries',
    help: 'Deliveries of referrals to services and practices, by their state',
    labelNames: ['state'],
    registers,
  });
  // All at once: another program may be reading meanwhile, and find what was emptied and not yet filled.
  const show = (found: Found | undefined) => {
    jobs.reset();
    deliveries.reset();
    for (const { job, ...states } of found?.jobs ?? [])
      for (const [state, count] of Object.entries(states)) jobs.set({ job, state }, count);
    for (const { status, count } of found?.deliveries ?? []) deliveries.set({ state: status }, count);
    up.set(found ? 1 : 0);
  };
  return async () => {
    try {
      show({ jobs: await countJobs(db), deliveries: await deliveryCounts() });
    } catch (error) {
      log.warn({ error: describeError(error) }, 'metrics without the database');
      show(undefined);
    }
  };
}

/** Counting them reads the whole table, which has millions of rows after some years: once a minute is enough. */
const countEveryMs = 60_000;

function countedNowAndThen({ db, clock }: MetricsDeps): () => ReturnType<typeof countDeliveries> {
  let last: { atMs: number; counts: Awaited<ReturnType<typeof countDeliveries>> } | undefined;
  return async () => {
    const atMs = clock.now().getTime();
    if (!last || atMs - last.atMs >= countEveryMs) last = { atMs, counts: await countDeliveries(db) };
    return last.counts;
  };
}
