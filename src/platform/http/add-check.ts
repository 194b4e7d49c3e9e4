import type { onRequestHookHandler, RouteOptions } from 'fastify';

/**
 * Adds a check to a route, to run before anything of a request is read. A check that is added to the routes it is meant
 * for costs the others nothing; one that looks at every request must find out each time whose it is.
 */
export function addCheck(route: RouteOptions, check: onRequestHookHandler): void {
  route.onRequest = [...[route.onRequest ?? []].flat(), check];
}

/** Whether requests of this route change nothing, so that nobody can be tricked into harm by sending one. */
export function isSafe({ method }: Pick<RouteOptions, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
