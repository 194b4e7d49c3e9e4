import type { FastifyInstance } from 'fastify';
import type { Log } from '../log/index.ts';
import { admitted } from './access.ts';

/**
 * One line a request: its id, method, the route's pattern (never the URL, whose query may hold a token or a person's
 * need), status, milliseconds and the account.
 */
export function installRequestLog(app: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    log.info({
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      account: admitted(request)?.accountId,
    });
    done();
  });
}
