import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import { type Access, addCheck, anyone, isApiPath } from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False for a route that no page of another origin may call, even if it may call the others. */
    crossOrigin?: false;
  }
}

/** Which pages of other origins may call the API from a browser. They send a token; cookies are never allowed. */
export type CrossOrigin = {
  /** Whether pages of this origin may call the whole API. */
  mayCall(origin: string): Promise<boolean>;
  /** Whether pages of any origin may call routes with this access. */
  isPublicRoute(access: Access | undefined): boolean;
};

const readable =
  'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, Deprecation, Sunset, Idempotent-Replayed, Content-Disposition, Onward-Check-First, Onward-Simulated';
const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, Onward-Shown-To',
  // Short, so that a removed origin is soon refused before it sends anything.
  'access-control-max-age': '600',
};

/**
 * Answers browsers that ask whether a page of another origin may call the API (https://fetch.spec.whatwg.org/#http-cors-protocol).
 * Call it before the checks of limits and access are added, so that a page can read their refusals too.
 */
export function installCors(app: FastifyInstance, rules: CrossOrigin): void {
  const publicMethods = new Map<string, string[]>();
  app.addHook('onRoute', (route) => {
    const { url, config } = route;
    if (!isApiPath(url) || config?.page || config?.crossOrigin === false) return;
    const isFirst = !publicMethods.has(url);
    const methods = publicMethods.get(url) ?? [];
    publicMethods.set(url, methods);
    if (rules.isPublicRoute(config?.access)) methods.push(...[route.method].flat());
    addCheck(route, corsHook(rules, methods));
    if (route.method === 'OPTIONS' || !isFirst) return;
    const schema = { hide: true, querystring: Type.Object({}) } as object;
    app.options(url, { config: { access: anyone }, schema }, (_request, reply) =>
      answerPreflight(reply, methods),
    );
  });
}

/** `publicMethods` are the methods by which pages of any origin may call the address. */
function corsHook(rules: CrossOrigin, publicMethods: readonly string[]): onRequestHookHandler {
  return (request, reply, done) => {
    const { origin } = request.headers;
    const isPublic = publicMethods.includes(requestedMethod(request));
    // Also without an Origin: a cache on the way may hand this answer to a browser that sent one.
    if (isPublic) sendAllowedOrigin(reply, '*');
    if (isPublic || origin === undefined) return done();
    rules.mayCall(origin).then((allowed) => {
      if (allowed) sendAllowedOrigin(reply.header('vary', 'Origin'), origin);
      done();
    }, done);
  };
}

function sendAllowedOrigin(reply: FastifyReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': readable,
  });
}

/** A preflight says which method it asks about. */
function requestedMethod({ method, headers }: FastifyRequest): string {
  return method === 'OPTIONS' ? (headers['access-control-request-method'] ?? 'GET') : method;
}

function answerPreflight(reply: FastifyReply, publicMethods: readonly string[]): FastifyReply {
  const allowed = reply.getHeader('access-control-allow-origin');
  if (allowed !== undefined) reply.headers(preflightHeaders);
  if (allowed === '*') reply.header('access-control-allow-methods', publicMethods.join(', '));
  return reply.code(204).send();
}
