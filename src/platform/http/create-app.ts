import { isUtf8 } from 'node:buffer';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  fastify,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import { Type } from 'typebox';
import { requestNames } from '../ids/index.ts';
import type { Log } from '../log/index.ts';
import { badRequest, Problem, wrongMediaType } from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { addCheck, isSafe } from './add-check.ts';
import { closeInOrder } from './close-in-order.ts';
import { type ErrorPage, installErrorAnswers } from './error-answers.ts';
import { isNestedTooDeeply } from './is-nested-too-deeply.ts';
import { requestLog } from './request-log.ts';
import { countTimes } from './request-times.ts';
import { requireSameOrigin } from './same-origin.ts';
import { problemSchema } from './schemas.ts';
import { installSecurityHeaders, securityHeaders } from './security-headers.ts';
import { serializeLazily } from './serialization.ts';
import { answerUnreadable } from './unreadable-request.ts';
import { compileValidator } from './validation.ts';
import { whenAnswered } from './when-answered.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const megabyte = 1024 * 1024;

/** An app without routes: what happens to every request, in the order in which it happens. */
export function createApp(settings: Settings, log: Log, errorPage: ErrorPage): App {
  const headers = securityHeaders(settings);
  const nameRequest = requestNames();
  const app: App = fastify({
    // Our own request log replaces Fastify's, which prints URLs, and URLs hold tokens.
    logger: false,
    genReqId: nameRequest,
    clientErrorHandler: answerUnreadable({ settings, headers, nameRequest }),
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    bodyLimit: megabyte,
    requestTimeout: 60_000,
    // Clients put a slash behind an address, and mean the same.
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An address that cannot be read reaches no hook, so the headers are set here.
    frameworkErrors: (error, request, reply) =>
      app.errorHandler(error as never, request, reply.headers(headers)),
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  serializeLazily(app);
  app.addSchema(problemSchema);
  refuseUnknownQueries(app);
  takeJson(app);
  takeOnlyWhatIsMeant(app);
  // Only pages have cookies; the session reads its own, and the API's calls are spared the hook.
  app.register(cookie, { hook: false });
  app.register(formbody, { bodyLimit: megabyte });
  closeInOrder(app);
  whenAnswered(app, [countTimes(app), ...(log.isLevelEnabled('info') ? [requestLog(log)] : [])]);
  installSecurityHeaders(app, headers);
  installErrorAnswers(app, settings, log, errorPage);
  requireSameOrigin(app, settings);
  return app;
}

/**
 * JSON is UTF-8 (RFC 8259): other bytes would be stored as question marks in somebody's record, so they are refused.
 * Clients send `Content-Type: application/json` without a body to actions that need none; that is no mistake.
 */
function takeJson(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const charset = /charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
    if ((charset ?? 'utf-8') !== 'utf-8' || !isUtf8(body)) {
      return done(new Problem(badRequest, 'The body must be UTF-8, as JSON is.'), undefined);
    }
    const text = body.toString('utf8');
    // Checks of a body go as deep as it does: one that is all brackets would be too deep for them.
    if (isNestedTooDeeply(text))
      return done(new Problem(badRequest, 'The body is nested too deeply.'), undefined);
    parse(request, text, done);
  });
}

/**
 * The API takes JSON alone: a browser can be made to send a form from anywhere, but not JSON. Pages take forms, whose
 * values are texts and nothing deeper, but where a script of theirs sends JSON.
 */
function takeOnlyWhatIsMeant(app: App): void {
  app.removeContentTypeParser('text/plain');
  app.addHook('onRoute', (route) => {
    if (isSafe(route)) return;
    const { page, takesJson } = route.config ?? {};
    const foreign = page && !takesJson ? 'application/json' : 'application/x-www-form-urlencoded';
    const advice = page && !takesJson ? 'Send the form of the page.' : jsonAdvice;
    addCheck(route, (request, _reply, done) => {
      const type = request.headers['content-type']?.toLowerCase();
      if (!type?.startsWith(foreign)) return done();
      done(new Problem(wrongMediaType, advice));
    });
  });
}

const jsonAdvice = 'Send JSON, with the header Content-Type: application/json.';

/**
 * A call of the API that names no query parameters takes none: a misspelt one must not be ignored in silence. Reading
 * the library is excepted, since Open Referral clients send what they like.
 */
function refuseUnknownQueries(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/') || route.url.startsWith('/api/library') || route.config?.page) return;
    route.schema = { querystring: Type.Object({}, { additionalProperties: false }), ...route.schema };
  });
}
