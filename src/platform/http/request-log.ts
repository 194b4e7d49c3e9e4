import type { FastifyInstance } from 'fastify';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { admitted } from './access.ts';

/**
 * Writes one line for each answered request and counts how long it took. Both name the route's pattern and never the URL,
 * whose query may hold a token or what is wrong with somebody.
 */
export function logAndCountRequests(app: FastifyInstance, log: Log, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    metrics.requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    log.info({ method, route, request_id: request.id, status, ms, account: admitted(request)?.accountId });
    done();
  });
}
