import { Counter, Histogram, Registry } from 'prom-client';

/** What this process counts while it works. `/metrics` adds what it reads from the database. */
export type Metrics = ReturnType<typeof createMetrics>;

/** One set for each process; each test app has its own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const metrics = {
    registry,
    requestSeconds: new Histogram({
      name: 'onward_http_request_duration_seconds',
      help: 'Requests by method, pattern of the route and status, and how long they took',
      labelNames: ['method', 'route', 'status'],
      // A call of the API takes about 1 ms, a page 10 ms, a password 100 ms.
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    tokenLookups: new Counter({
      name: 'onward_token_lookups_total',
      help: 'Access tokens that were looked up, by where they were found or not',
      labelNames: ['in'],
      registers,
    }),
    signInRefusals: new Counter({
      name: 'onward_sign_in_refusals_total',
      help: 'Attempts to sign in that were refused, by method; slowed_down: refused before anything was checked',
      labelNames: ['method'],
      registers,
    }),
  };
  // Prometheus cannot tell a counter's first increase from its appearance, so all of them start at 0.
  for (const place of ['memory', 'database']) metrics.tokenLookups.inc({ in: place }, 0);
  for (const method of ['password', 'code', 'passkey', 'openid_connect', 'slowed_down'])
    metrics.signInRefusals.inc({ method }, 0);
  return metrics;
}
