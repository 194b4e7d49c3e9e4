import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Observer = (request: FastifyRequest, reply: FastifyReply) => void;

/** Makes the observer of one route, once: whatever does not change from request to request is worked out here. */
export type Watcher = (method: string, route: string) => Observer;

/** The route of a request that no route takes. */
const noRoute = 'none';

/**
 * Calls each watcher's observer when a request was answered. They learn the route's pattern and never the URL, whose
 * query may hold a token or a person's need.
 */
export function whenAnswered(app: FastifyInstance, watchers: readonly Watcher[]): void {
  app.addHook('onRoute', (route) => {
    const observers = watchers.map((watch) => watch(String(route.method), route.url));
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        for (const observe of observers) observe(request, reply);
        done();
      },
    ];
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) for (const watch of watchers) watch(request.method, noRoute)(request, reply);
    done();
  });
}
