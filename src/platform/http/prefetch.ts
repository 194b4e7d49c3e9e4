import type { FastifyRequest, onRequestHookHandler } from 'fastify';

/** Whether nobody will read the page now: a browser prefetches it, or asks for its headers only. */
export function isPrefetchOrHead({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return (
    method === 'HEAD' || /prefetch|prerender/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''))
  );
}

/** Gives a prefetch an empty answer. The browser then asks again when somebody opens the page. */
export const refusePrefetch: onRequestHookHandler = (request, reply, done) => {
  if (isPrefetchOrHead(request)) void reply.code(204).send();
  else done();
};
