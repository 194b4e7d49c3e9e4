import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Log, writeInfoLine } from '../log/index.ts';
import { admitted } from './access.ts';

/**
 * One line a request: its id, method, the route's pattern (never the URL, whose query may hold a token or a person's
 * need), status, milliseconds and the account.
 */
export function installRequestLog(app: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onRoute', (route) => {
    const what = describe(String(route.method), route.url);
    const hooks = [route.onResponse ?? []].flat();
    route.onResponse = [
      ...hooks,
      (request, reply, done) => {
        writeInfoLine(log, what + outcome(request, reply));
        done();
      },
    ];
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) writeInfoLine(log, describe(request.method, 'none') + outcome(request, reply));
    done();
  });
}

function describe(method: string, route: string): string {
  return `,"method":"${method}","route":"${route}"`;
}

function outcome(request: FastifyRequest, reply: FastifyReply): string {
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const account = admitted(request)?.accountId;
  const who = account === undefined ? '' : `,"account":"${account}"`;
  return `,"request_id":"${request.id}","status":${reply.statusCode},"ms":${ms}${who}`;
}
