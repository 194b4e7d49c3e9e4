import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

/** Something of the API that ends: a parameter, a field or a whole call with `deprecated: true` in its schema. */
export type Deprecation = {
  /** Stored with each use, so it never changes. */
  readonly id: string;
  /** The name of the parameter or field; undefined for a whole call. */
  readonly field?: string;
  /** The routes that it belongs to. */
  readonly routes: RegExp;
  /** What ends, and what to use instead, as people read it after “It uses” and “Use”. */
  readonly what: string;
  readonly instead: string;
  readonly since: Date;
  /** When it stops working: at least twelve months later, as the guide promises. */
  readonly ends: Date;
};

/** Everything that is deprecated. The guide’s page on versions lists the same. */
export const deprecations: readonly Deprecation[] = [
  {
    id: 'format-of-lists',
    field: 'format',
    routes: /^\/api\/library\//,
    what: '“format” of a list of the library',
    instead: 'the address that ends in .ndjson, or the header Accept: application/x-ndjson',
    since: new Date('2026-11-26'),
    ends: new Date('2027-12-01'),
  },
  {
    id: 'format-of-exports',
    field: 'format',
    routes: /^\/api\/patients\/export$/,
    what: '“format” of POST /api/patients/export',
    instead: '“format” of GET /api/patients/copies/{id}/record',
    since: new Date('2026-11-26'),
    ends: new Date('2027-12-01'),
  },
];

type Fields = { properties?: Record<string, { deprecated?: boolean }> };

/**
 * Tells callers that use something deprecated so, in the headers of the answer (RFC 9745, RFC 8594), and tells `onUse`. Call it
 * before the routes are added.
 * @throws Error for a route with something deprecated that is not in the list.
 */
export function announceDeprecation(
  app: FastifyInstance,
  onUse: (request: FastifyRequest, used: Deprecation) => void,
  list: readonly Deprecation[] = deprecations,
): void {
  app.addHook('onRoute', (route) => {
    const findUsed = usedBy(route, list);
    if (!findUsed) return;
    const hooks: RouteOptions['preHandler'] = [route.preHandler ?? []].flat();
    route.preHandler = [
      ...hooks,
      (request, reply, done) => {
        const used = findUsed(request);
        for (const each of used) onUse(request, each);
        // If there are several, the headers are of the one that ends first.
        const [first] = used.toSorted((a, b) => a.ends.getTime() - b.ends.getTime());
        if (first)
          reply.headers({
            deprecation: `@${first.since.getTime() / 1000}`,
            sunset: first.ends.toUTCString(),
          });
        done();
      },
    ];
  });
}

/** The function that finds what a request to this route uses of it; undefined for a route with nothing deprecated. */
function usedBy(
  { url, schema = {} }: RouteOptions,
  list: readonly Deprecation[],
): ((request: FastifyRequest) => readonly Deprecation[]) | undefined {
  const { querystring, body, deprecated } = schema as {
    querystring?: Fields;
    body?: Fields;
    deprecated?: boolean;
  };
  const find = (field?: string): Deprecation => {
    const entry = list.find((each) => each.field === field && each.routes.test(url));
    if (!entry) throw new Error(`${field ?? 'the call'} of ${url} is deprecated, and not in the list`);
    return entry;
  };
  const always = deprecated ? [find()] : [];
  const inQuery = deprecatedIn(querystring).map((name) => ({ name, deprecation: find(name) }));
  const inBody = deprecatedIn(body).map((name) => ({ name, deprecation: find(name) }));
  if (always.length + inQuery.length + inBody.length === 0) return undefined;
  const deprecationsIn = (parameters: unknown, fields: typeof inQuery) =>
    fields
      .filter(({ name }) => (Object(parameters) as Record<string, unknown>)[name] !== undefined)
      .map(({ deprecation }) => deprecation);
  return ({ query, body: fields }) => [
    ...always,
    ...deprecationsIn(query, inQuery),
    ...deprecationsIn(fields, inBody),
  ];
}

/** The names of fields and parameters that are deprecated. */
export function deprecatedIn({ properties = {} }: Fields = {}): string[] {
  return Object.entries(properties)
    .filter(([, { deprecated }]) => deprecated)
    .map(([name]) => name);
}
