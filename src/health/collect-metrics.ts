import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { countDeliveries, countHeld } from '../delivery/index.ts';
import { connections, findTrouble, type Trouble } from '../platform/connections/index.ts';
import type { Database } from '../platform/database/index.ts';
import { countJobs } from '../platform/jobs/index.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { version } from '../platform/version.ts';

export type MetricsDeps = Platform & { readonly pool: Database['pool'] };

/** Everything that `/metrics` says, worked out when it is asked. Process and event loop are watched from now on. */
export function createCollector(deps: MetricsDeps): () => Promise<{ type: string; text: string }> {
  const { registry } = deps.metrics;
  collectDefaultMetrics({ register: registry });
  poolGauge(registry, deps.pool);
  buildInfo(registry);
  const readDatabase = databaseGauges(registry, deps);
  return async () => {
    await readDatabase();
    return { type: registry.contentType, text: await registry.metrics() };
  };
}

/** As Prometheus has it: always 1, and what it is about is in the label. */
function buildInfo(registry: Registry): void {
  const about = { name: 'onward_build_info', help: 'The version of Onward that this process runs' };
  new Gauge({ ...about, labelNames: ['version'], registers: [registry] }).set({ version }, 1);
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

type DatabaseCounts = {
  jobs: Awaited<ReturnType<typeof countJobs>>;
  deliveries: Awaited<ReturnType<typeof countDeliveries>>;
  held: Awaited<ReturnType<typeof countHeld>>;
  troubles: (Trouble | undefined)[];
};

/** What all processes of the site share. While the database is away the other metrics are wanted most, so they go on. */
function databaseGauges(registry: Registry, deps: MetricsDeps): () => Promise<void> {
  const { db, log } = deps;
  const deliveryCounts = cachedDeliveryCounts(deps);
  const registers = [registry];
  const up = new Gauge({ name: 'onward_database_up', help: '1 while the database answers', registers });
  const jobs = new Gauge({
    name: 'onward_jobs',
    help: 'Jobs of the site: waiting, running, or given up by the queue',
    // Prometheus gives every series a label `job` of its own.
    labelNames: ['task', 'state'],
    registers,
  });
  const deliveries = new Gauge({
    name: 'onward_deliveries',
    help: 'Deliveries of referrals to services and practices, by their state; paused: they wait on purpose',
    labelNames: ['state'],
    registers,
  });
  const held = new Gauge({
    name: 'onward_deliveries_held',
    help: 'Deliveries that wait until something else is put right, by what holds them',
    labelNames: ['by'],
    registers,
  });
  const troubled = new Gauge({
    name: 'onward_connection_trouble',
    help: '1 while a connection refuses this site or is away, however short',
    labelNames: ['connection', 'kind'],
    registers,
  });
  // All at once: another program may be reading meanwhile, and find what was emptied and not yet filled.
  const show = (found: DatabaseCounts | undefined) => {
    jobs.reset();
    deliveries.reset();
    held.reset();
    troubled.reset();
    for (const { job, ...states } of found?.jobs ?? [])
      for (const [state, count] of Object.entries(states)) jobs.set({ task: job, state }, count);
    for (const { status, count } of found?.deliveries ?? []) deliveries.set({ state: status }, count);
    for (const { heldBy: by, count } of found?.held ?? []) held.set({ by }, count);
    for (const [index, trouble] of found?.troubles.entries() ?? [])
      for (const kind of ['refuses', 'away'])
        troubled.set({ connection: connections[index]!, kind }, trouble?.kind === kind ? 1 : 0);
    up.set(found ? 1 : 0);
  };
  return async () => {
    try {
      const jobs = await countJobs(db);
      const deliveries = await deliveryCounts();
      const held = await countHeld(db);
      const troubles = await Promise.all(connections.map((each) => findTrouble(db, each)));
      show({ jobs, deliveries, held, troubles });
    } catch (error) {
      log.warn({ error: describeError(error) }, 'metrics without the database');
      show(undefined);
    }
  };
}

/** Counting them reads the whole table, which has millions of rows after some years: once a minute is enough. */
const countEveryMs = 60_000;

function cachedDeliveryCounts({ db, clock }: MetricsDeps): () => ReturnType<typeof countDeliveries> {
  let last: { atMs: number; counts: Awaited<ReturnType<typeof countDeliveries>> } | undefined;
  return async () => {
    const atMs = clock.now().getTime();
    if (!last || atMs - last.atMs >= countEveryMs) last = { atMs, counts: await countDeliveries(db) };
    return last.counts;
  };
}
