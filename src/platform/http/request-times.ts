import type { FastifyInstance } from 'fastify';
import type { Watcher } from './when-answered.ts';

/** How many requests of one route were answered with one status, and how long they took. */
export type RequestTimes = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** For each bound how many took no longer than it, but longer than the one before; last, those beyond all of them. */
  readonly counts: number[];
  sumMs: number;
};

/** In milliseconds: a call of the API takes about one, a page ten, a password a hundred. */
export const boundsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000] as const;

const timesOfApp = new WeakMap<FastifyInstance, Map<string, RequestTimes[]>>();

/** Everything that was counted, for `/metrics`. */
export function requestTimes(app: FastifyInstance): RequestTimes[] {
  // By status, of which most numbers are not there.
  return [...(timesOfApp.get(app)?.values() ?? [])].flatMap((byStatus) => Object.values(byStatus));
}

/** Counts every request in plain arrays: what a library's histogram costs for each of them could be measured. */
export function countTimes(app: FastifyInstance): Watcher {
  const routes = new Map<string, RequestTimes[]>();
  timesOfApp.set(app, routes);
  return (method, route) => {
    const name = `${method} ${route}`;
    const byStatus = routes.get(name) ?? [];
    routes.set(name, byStatus);
    return (_request, reply) => {
      const status = reply.statusCode;
      byStatus[status] ??= noTimes(method, route, status);
      const times = byStatus[status];
      const ms = reply.elapsedTime;
      let place = 0;
      while (ms > boundsMs[place]!) place += 1;
      times.counts[place]! += 1;
      times.sumMs += ms;
    };
  };
}

function noTimes(method: string, route: string, status: number): RequestTimes {
  return { method, route, status, counts: [...boundsMs, 'beyond'].map(() => 0), sumMs: 0 };
}
