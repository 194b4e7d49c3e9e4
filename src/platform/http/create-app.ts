import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import { Type } from 'typebox';
import { minuteMs } from '../durations.ts';
import { createRequestIds } from '../ids/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { badRequest, notSameOrigin, Problem, wrongMediaType } from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { addCheck, isApiPath, isSafe, requestCaller } from './access.ts';
import {
  answerClientError,
  type ErrorDeps,
  installErrorAnswers,
  jsonAdvice,
} from './errors/error-answers.ts';
import { compileValidator } from './errors/validation.ts';
import { installGracefulClose } from './graceful-close.ts';
import { problemSchema } from './schemas.ts';
import { installSecurityHeaders, securityHeaders } from './security-headers.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const megabyte = 1024 * 1024;

/**
 * An app without routes; `buildApp` adds CORS, access checks and rate limits. It does not use @fastify/compress, which would
 * compress every answer: only public ones may be compressed (`compression.ts` says why).
 */
export function createApp(deps: ErrorDeps & { metrics: Metrics }): App {
  const { settings, log, metrics } = deps;
  const headers = securityHeaders(settings);
  const newRequestId = createRequestIds();
  const app: App = fastify({
    // Our own request log replaces Fastify's, which prints URLs, and URLs hold tokens.
    logger: false,
    genReqId: newRequestId,
    clientErrorHandler: answerClientError({ settings, headers, newRequestId }),
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    bodyLimit: megabyte,
    requestTimeout: minuteMs,
    // Some clients add a slash to an address and mean the same.
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A malformed URL reaches no hook, so the headers are set here.
    frameworkErrors: (error, request, reply) =>
      app.errorHandler(error, request, reply.headers(headers).header('x-request-id', request.id)),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  compileSerializersOnFirstUse(app);
  app.addSchema(problemSchema());
  refuseUnknownParameters(app);
  installJsonParser(app);
  enforceContentTypes(app);
  // Only pages have cookies, and the session reads its own.
  app.register(cookie, { hook: false });
  app.register(formbody, { bodyLimit: megabyte });
  installGracefulClose(app);
  logAndCountRequests(app, log, metrics);
  installSecurityHeaders(app, headers);
  installErrorAnswers(app, deps);
  checkOriginOfForms(app, settings);
  return app;
}

/**
 * Writes one line for each answered request and counts how long it took. Both name the route's pattern and never the URL,
 * because its query may hold a token or clinical details.
 */
function logAndCountRequests(app: FastifyInstance, log: Log, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    if (!request.routeOptions.config.staysOpen)
      metrics.requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    log.info({
      method,
      route,
      request_id: request.id,
      status,
      ms,
      account: requestCaller(request)?.accountId,
    });
    done();
  });
}

/**
 * Refuses forms that another site makes a browser send: an unsafe request to a page is accepted only if the browser says that
 * it comes from this site. The API is called with a token and no cookie, so it needs no such check.
 */
function checkOriginOfForms(app: FastifyInstance, settings: Settings): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.page || isSafe(route)) return;
    const { secretInAddress } = route.config;
    addCheck(route, (request, _reply, done) => {
      if (comesFromThisSite(request, settings.baseUrl)) return done();
      if (secretInAddress && mayHideItsOrigin(request)) return done();
      done(new Problem(notSameOrigin, 'Open the page on this site and send its form again.'));
    });
  });
}

/** Where no Referer may be sent, older browsers say only `Origin: null`. */
function mayHideItsOrigin({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === undefined && headers.origin === 'null';
}

function comesFromThisSite({ headers }: FastifyRequest, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === baseUrl;
}

/**
 * JSON is UTF-8 (RFC 8259). Other bytes are refused: they would be stored as question marks in somebody's record. A request
 * with `Content-Type: application/json` and no body is accepted, since clients send it to actions that need none.
 */
function installJsonParser(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const charset = /charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
    if ((charset ?? 'utf-8') !== 'utf-8' || !isUtf8(body)) {
      return done(new Problem(badRequest, 'The body must be UTF-8, as JSON is.'), undefined);
    }
    const text = body.toString('utf8');
    // The schema check recurses into the body; one that is all brackets would overflow the stack.
    if (isNestedTooDeeply(text))
      return done(new Problem(badRequest, 'The body is nested too deeply.'), undefined);
    parse(request, text, done);
  });
}

/**
 * The API accepts only JSON: another site can make a browser send a form, but not JSON. Pages accept only forms, whose values
 * are plain texts, unless a script of the page sends JSON.
 */
function enforceContentTypes(app: App): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('onRoute', (route) => {
    if (isSafe(route)) return;
    const { page, takesJson } = route.config ?? {};
    const refusedType = page && !takesJson ? 'application/json' : 'application/x-www-form-urlencoded';
    const advice = page && !takesJson ? 'Send the form of the page.' : jsonAdvice;
    addCheck(route, (request, _reply, done) => {
      const type = request.headers['content-type']?.toLowerCase();
      if (!type?.startsWith(refusedType)) return done();
      done(new Problem(wrongMediaType, advice));
    });
  });
}

/**
 * An API route that declares no query parameters refuses all of them, so that a misspelt one is not silently ignored. Reading
 * the library is an exception: Open Referral clients send parameters of their own.
 */
function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!isApiPath(route.url) || route.url.startsWith('/api/library') || route.config?.page) return;
    route.schema = { querystring: Type.Object({}, { additionalProperties: false }), ...route.schema };
  });
}

const maxDepth = 50;

/** Whether a JSON text nests its arrays and objects deeper than any body that this site accepts. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInText) {
      if (character === '\\') index += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

type Serialize = (data: unknown) => string;

/** What the schemas of answers were compiled to, by the hash of the schema and of those that it may name. */
const serializers = new Map<string, Serialize>();

/**
 * Compiles the serialiser of an answer when it is first needed. Compiling one for each status of each route took a quarter of
 * the start, and most are never needed; the compiler itself is loaded then, too. Many routes answer alike, with a referral, and share one.
 */
function compileSerializersOnFirstUse(app: FastifyInstance): void {
  const require = createRequire(import.meta.url);
  app.setSerializerCompiler((route) => {
    const compile = (): Serialize => {
      const schemas = app.getSchemas();
      const key = hash('sha256', JSON.stringify([route.schema, schemas]));
      const known = serializers.get(key);
      if (known) return known;
      const { SerializerSelector } =
        require('@fastify/fast-json-stringify-compiler') as typeof import('@fastify/fast-json-stringify-compiler');
      const compiled = SerializerSelector()(schemas)({ ...route, httpStatus: route.httpStatus ?? '' });
      serializers.set(key, compiled);
      return compiled;
    };
    let serialize: Serialize | undefined;
    return (data) => {
      serialize ??= compile();
      return serialize(data);
    };
  });
}
