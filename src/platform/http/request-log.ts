import type { FastifyInstance } from 'fastify';
import { type Log, writeInfoLine } from '../log/index.ts';
import { admitted } from './access.ts';

/**
 * One line a request: its id, method, the route's pattern (never the URL, whose query may hold a token or a person's
 * need), status, milliseconds and the account.
 */
export function installRequestLog(app: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const account = admitted(request)?.accountId;
    const who = account === undefined ? '' : `,"account":"${account}"`;
    const what = `,"request_id":"${id}","method":"${method}","route":"${routeOptions.url ?? 'none'}"`;
    writeInfoLine(log, `${what},"status":${reply.statusCode},"ms":${ms}${who}`);
    done();
  });
}
