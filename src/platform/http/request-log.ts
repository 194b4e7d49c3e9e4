import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Log, writeInfoLine } from '../log/index.ts';
import { admitted } from './access.ts';
import type { Watcher } from './when-answered.ts';

/** One line a request: its id, method, the route's pattern, status, milliseconds and the account. */
export function requestLog(log: Log): Watcher {
  return (method, route) => {
    const what = `,"method":"${method}","route":"${route}"`;
    return (request, reply) => writeInfoLine(log, what + outcome(request, reply));
  };
}

function outcome(request: FastifyRequest, reply: FastifyReply): string {
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const account = admitted(request)?.accountId;
  const who = account === undefined ? '' : `,"account":"${account}"`;
  return `,"request_id":"${request.id}","status":${reply.statusCode},"ms":${ms}${who}`;
}
