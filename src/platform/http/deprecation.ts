import type { FastifyInstance, RouteOptions } from 'fastify';

/**
 * For every field and parameter with `deprecated: true` in its schema: `since` is when it was deprecated, `ends` when it stops
 * working, at least twelve months later, as the guide promises. If more is deprecated later, it needs dates of its own.
 */
const deprecation = { since: new Date('2026-11-26'), ends: new Date('2027-12-01') };

type Fields = { properties?: Record<string, { deprecated?: boolean }> };

/**
 * Tells callers that send a deprecated parameter or field so, in the headers of the answer (RFC 9745, RFC 8594). Call it
 * before the routes are added.
 */
export function announceDeprecation(app: FastifyInstance): void {
  const headers = {
    deprecation: `@${deprecation.since.getTime() / 1000}`,
    sunset: deprecation.ends.toUTCString(),
  };
  app.addHook('onRoute', (route) => {
    const { querystring, body } = (route.schema ?? {}) as { querystring?: Fields; body?: Fields };
    const [inQuery, inBody] = [deprecatedIn(querystring), deprecatedIn(body)];
    if (inQuery.length + inBody.length === 0) return;
    const hooks: RouteOptions['preHandler'] = [route.preHandler ?? []].flat();
    route.preHandler = [
      ...hooks,
      (request, reply, done) => {
        if (usesOneOf(request.query, inQuery) || usesOneOf(request.body, inBody)) reply.headers(headers);
        done();
      },
    ];
  });
}

/** The names of fields and parameters that are deprecated. */
export function deprecatedIn({ properties = {} }: Fields = {}): string[] {
  return Object.entries(properties)
    .filter(([, { deprecated }]) => deprecated)
    .map(([name]) => name);
}

function usesOneOf(given: unknown, names: readonly string[]): boolean {
  const fields = Object(given) as Record<string, unknown>;
  return names.some((name) => fields[name] !== undefined);
}
