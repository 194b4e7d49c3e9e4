import type { onRequestHookHandler, RouteOptions } from 'fastify';

/**
 * Adds a check to a route, which runs before anything of the request is read.
 */
export function addCheck(route: RouteOptions, check: onRequestHookHandler): void {
  route.onRequest = [...[route.onRequest ?? []].flat(), check];
}

/** Whether requests to this route change nothing, so that tricking somebody into sending one does no harm. */
export function isSafe({ method }: Pick<RouteOptions, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
