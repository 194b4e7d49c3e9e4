import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { countDeliveries, countHeld } from '../delivery/index.ts';
import {
  type Connection,
  type ConnectionFailure,
  connections,
  findConnectionFailure,
} from '../platform/connections/index.ts';
import type { Database } from '../platform/database/index.ts';
import { minuteMs } from '../platform/durations.ts';
import { countJobs } from '../platform/jobs/index.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { version } from '../platform/process/version.ts';
import { findRestoreCheck } from '../platform/restore-check/index.ts';

export type MetricsDeps = Platform & { readonly pool: Database['pool'] };

/** Makes the function that collects all metrics. It starts to measure the process and its event loop now. */
export function createCollector(deps: MetricsDeps): () => Promise<{ type: string; text: string }> {
  const { registry } = deps.metrics;
  collectDefaultMetrics({ register: registry });
  addPoolGauge(registry, deps.pool);
  addBuildInfo(registry);
  const readDatabase = createDatabaseGauges(registry, deps);
  return async () => {
    await readDatabase();
    return { type: registry.contentType, text: await registry.metrics() };
  };
}

/** By Prometheus’s convention the value is always 1, and the label has the version. */
function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'onward_build_info',
    help: 'The version of Onward that this process runs',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
}

function addPoolGauge(registry: Registry, pool: MetricsDeps['pool']): void {
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
  failures: ReadonlyMap<Connection, Pick<ConnectionFailure, 'kind'> | undefined>;
  isBeingChecked: boolean;
};

/** Gets the counts, or undefined while the database is down. */
type SetGauges = (counts: DatabaseCounts | undefined) => void;

/** The gauges of what all processes of the site share. If the database is down, they are empty, and the other metrics are still served. */
function createDatabaseGauges(registry: Registry, deps: MetricsDeps): () => Promise<void> {
  const { db, log } = deps;
  const deliveryCounts = cachedDeliveryCounts(deps);
  const groups = [siteGauges, jobGauges, deliveryGauges, connectionGauges].map((makeGauges) =>
    makeGauges([registry]),
  );
  // Without an await, so that nobody reads gauges that are reset and not set yet.
  const setGauges: SetGauges = (counts) => {
    for (const set of groups) set(counts);
  };
  return async () => {
    try {
      const jobs = await countJobs(db);
      const deliveries = await deliveryCounts();
      const held = await countHeld(db);
      const failures = new Map<Connection, Pick<ConnectionFailure, 'kind'> | undefined>();
      for (const each of connections) failures.set(each, await findConnectionFailure(db, each));
      const isBeingChecked = (await findRestoreCheck(db)) !== undefined;
      setGauges({ jobs, deliveries, held, failures, isBeingChecked });
    } catch (error) {
      log.warn({ error: describeError(error) }, 'metrics without the database');
      setGauges(undefined);
    }
  };
}

function siteGauges(registers: Registry[]): SetGauges {
  const up = new Gauge({ name: 'onward_database_up', help: '1 while the database answers', registers });
  const restoreCheck = new Gauge({
    name: 'onward_check_first',
    help: '1 after a restore, until an operator has confirmed what was sent before; no delivery leaves meanwhile',
    registers,
  });
  return (counts) => {
    up.set(counts ? 1 : 0);
    restoreCheck.set(counts?.isBeingChecked ? 1 : 0);
  };
}

function jobGauges(registers: Registry[]): SetGauges {
  const jobs = new Gauge({
    name: 'onward_jobs',
    help: 'Jobs of the site: waiting, running, or given up by the queue',
    // Prometheus gives every series a label `job` of its own. The label `state` has the status, under its published name.
    labelNames: ['task', 'state'],
    registers,
  });
  return (counts) => {
    jobs.reset();
    for (const { name: task, waiting, running, givenUp } of counts?.jobs ?? []) {
      jobs.set({ task, state: 'waiting' }, waiting);
      jobs.set({ task, state: 'running' }, running);
      jobs.set({ task, state: 'failed' }, givenUp);
    }
  };
}

function deliveryGauges(registers: Registry[]): SetGauges {
  const deliveries = new Gauge({
    name: 'onward_deliveries',
    help: 'Deliveries of referrals to services and practices, by status; paused: they wait on purpose',
    labelNames: ['state'],
    registers,
  });
  const held = new Gauge({
    name: 'onward_deliveries_held',
    help: 'Deliveries that are held until the site can send them, by what holds them',
    labelNames: ['by'],
    registers,
  });
  return (counts) => {
    deliveries.reset();
    held.reset();
    for (const { status, count } of counts?.deliveries ?? []) deliveries.set({ state: status }, count);
    for (const { heldBy: by, count } of counts?.held ?? []) held.set({ by }, count);
  };
}

function connectionGauges(registers: Registry[]): SetGauges {
  const failures = new Gauge({
    name: 'onward_connection_failure',
    help: '1 while a connection refuses this site or is down, even briefly',
    labelNames: ['connection', 'kind'],
    registers,
  });
  return (counts) => {
    failures.reset();
    for (const [connection, failure] of counts?.failures ?? [])
      for (const kind of ['refuses', 'away'])
        failures.set({ connection, kind }, failure?.kind === kind ? 1 : 0);
  };
}

/** Counting deliveries reads the whole table, which has millions of rows after some years. Once a minute is enough. */
const countEveryMs = minuteMs;

function cachedDeliveryCounts({ db, clock }: MetricsDeps): () => ReturnType<typeof countDeliveries> {
  let last: { atMs: number; counts: Awaited<ReturnType<typeof countDeliveries>> } | undefined;
  return async () => {
    const atMs = clock.now().getTime();
    if (!last || atMs - last.atMs >= countEveryMs) last = { atMs, counts: await countDeliveries(db) };
    return last.counts;
  };
}
