import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTransientDatabaseError } from '../../database/index.ts';
import { describeError, type Log } from '../../log/index.ts';
import {
  badRequest,
  forbidden,
  internalError,
  methodNotAllowed,
  notFound,
  Problem,
  tooLarge,
  unavailable,
  wrongMediaType,
} from '../../problem/index.ts';
import type { Settings } from '../../settings/index.ts';
import { type CallerIdentity, isApiPath, recognise, requestCaller, type Verifiers } from '../access.ts';

/** The advice for a file that was sent in another way. */
export const sendFileAdvice = 'Send the file as multipart/form-data, in the field “file”.';

/** Answers a problem with a page, for people. */
type ErrorPage = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply;

/** Audits that somebody asked for something they may not see. The answer does not wait for it. */
type AuditRefusal = (request: FastifyRequest, caller: CallerIdentity) => void;

export type ErrorDeps = {
  settings: Settings;
  log: Log;
  errorPage: ErrorPage;
  auditRefusal?: AuditRefusal;
  /** Finds out who is signed in, for the header of the “Page not found” page. */
  verifyVisitor?: Verifiers['visitor'];
};

/** Turns every thrown error into one kind of answer: problem+json for client systems, a page for people. */
export function installErrorAnswers(
  app: FastifyInstance,
  { settings, log, errorPage, auditRefusal = () => undefined, verifyVisitor = () => undefined }: ErrorDeps,
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => {
    reply.code(problem.kind.status).headers(problem.headers ?? {});
    if (wantsPage(request)) return errorPage(request, reply, problem);
    return reply
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send(problemBody(problem, request.id, settings));
  };
  app.setErrorHandler((error, request, reply) => {
    // A Problem is our own refusal, which may itself have cut the upload off: it is answered as it is.
    const problem =
      isCutOff(request) && !(error instanceof Problem)
        ? new Problem(badRequest, 'The request was cut off.')
        : asProblem(error as FastifyError, request);
    const caller = requestCaller(request);
    if (caller && (problem.kind === notFound || problem.kind === forbidden)) auditRefusal(request, caller);
    if (problem.kind.status >= 500) logFailure(log, request, error);
    return answer(request, reply, problem);
  });
  const missing = problemForNoRoute(app);
  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request)) await recognise(request, reply, verifyVisitor);
    return answer(request, reply, missing(request));
  });
}

/** A deliberate refusal, such as of too many sign-ins at once, is a warning without a stack; anything else is an error. */
function logFailure(log: Log, { id }: FastifyRequest, error: unknown): void {
  if (error instanceof Problem) log.warn({ request_id: id, problem: error.kind.type }, 'request refused');
  else log.error({ request_id: id, error: describeError(error) }, 'request failed');
}

/** A problem as problem+json (RFC 9457). */
function problemBody(problem: Problem, requestId: string, settings: Settings) {
  return {
    type: `${settings.baseUrl}/problems/${problem.kind.type}`,
    title: problem.kind.title,
    status: problem.kind.status,
    code: problem.kind.type,
    detail: problem.detail ?? problem.kind.title,
    request_id: requestId,
    errors: problem.errors?.map(({ pointer, message }) => ({ pointer, message })),
    ...problem.extra,
  };
}

/** Whether the client disconnected in the middle of its request. Then the site did nothing wrong. */
function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** What client systems and monitoring read. `isApiPath` needs the slash after `/api`; a misspelt address may lack it. */
const readByPrograms = /^\/(api|healthz|readyz|metrics)\b/;

function wantsPage(request: FastifyRequest): boolean {
  const { config, url } = request.routeOptions;
  if (config?.page !== undefined) return config.page;
  return url === undefined && !readByPrograms.test(request.raw.url ?? '');
}

export const jsonAdvice = 'Send JSON, with the header Content-Type: application/json.';

function asProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (isTransientDatabaseError(error)) return databaseProblem(wantsPage(request));
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem(tooLarge, 'Send at most one megabyte.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(wrongMediaType, takesFiles(request) ? sendFileAdvice : jsonAdvice);
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Problem(badRequest, 'The body is empty; send a JSON object.');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new Problem(badRequest, 'The body is not JSON.');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Problem(badRequest);
  return new Problem(internalError);
}

function takesFiles({ routeOptions }: FastifyRequest): boolean {
  const { consumes } = routeOptions.schema ?? ({} as { consumes?: readonly string[] });
  return consumes?.includes('multipart/form-data') ?? false;
}

export const databaseUnreachableAdvice =
  'Try again in a few seconds. What you asked for may have been done: read it again, or repeat it with the same Idempotency-Key.';

/** A change may have been stored although its answer was lost. */
function databaseProblem(isForPeople: boolean): Problem {
  const detail = isForPeople
    ? 'Sorry, there is a problem. Try again in a minute. If you were sending something, check first whether it arrived. It may have been saved.'
    : databaseUnreachableAdvice;
  return new Problem(unavailable, detail, { headers: { 'retry-after': '5' } });
}

/** For addresses that no route has. What belongs to somebody else gets the usual 404 instead. */
const noSuchAddressDetail = 'No API endpoint has this URL. See /api/docs.';

type KnownRoute = { readonly method: string; readonly shape: RegExp; readonly isPage: boolean };

/**
 * The answer if no route matches: 404, or 405 with the methods that the address accepts (RFC 9110, section 15.5.6). It
 * reveals no more than the API document does.
 */
function problemForNoRoute(app: FastifyInstance): (request: FastifyRequest) => Problem {
  const known: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.includes('*')) return;
    const pattern = url.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+');
    const shape = new RegExp(`^${pattern}/?$`);
    const isPage = config?.page === true;
    for (const each of [method].flat()) known.push({ method: each, shape, isPage });
  });
  return ({ raw }) => {
    const path = raw.url?.split('?', 1)[0] ?? '';
    const allowed = [...new Set(known.filter(({ shape }) => shape.test(path)).map(({ method }) => method))];
    if (allowed.length === 0) return new Problem(notFound, isApiPath(path) ? noSuchAddressDetail : undefined);
    const allow = allowed.sort().join(', ');
    return new Problem(methodNotAllowed, `This address takes ${allow}.`, {
      headers: { allow },
      extra: { page: isApiPath(path) ? undefined : pageAbove(known, path) },
    });
  };
}

/** The page that has the form of an address: forms are sent to an address below it. */
function pageAbove(known: readonly KnownRoute[], path: string): string | undefined {
  const isPage = (above: string) =>
    known.some(({ method, shape, isPage }) => isPage && method === 'GET' && shape.test(above));
  for (let above = path; above.includes('/'); ) {
    above = above.slice(0, above.lastIndexOf('/'));
    if (above !== '' && isPage(above)) return above;
  }
  return undefined;
}

type ClientErrorDeps = {
  settings: Settings;
  headers: Readonly<Record<string, string>>;
  newRequestId: () => string;
};

/**
 * Answers what Node itself refuses with the same problem+json as any other refusal: bytes that are not HTTP, headers that are too
 * long, a request that takes too long. They reach no route, hook or log. The answer repeats nothing of them and closes the
 * connection, since nobody can tell where the next request starts.
 */
export function answerClientError({ settings, headers, newRequestId }: ClientErrorDeps) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (socket.writable) socket.write(answerTo(error));
    socket.destroy();
  };

  function answerTo({ code }: NodeJS.ErrnoException): string {
    const problem = problemOf(code);
    const requestId = newRequestId();
    const body = JSON.stringify(problemBody(problem, requestId, settings));
    const lines = Object.entries({
      ...headers,
      'x-request-id': requestId,
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    return [`HTTP/1.1 ${problem.kind.status} Refused`, ...lines, '', body].join('\r\n');
  }
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem({ ...tooLarge, status: 431 }, 'Send headers of at most 16 kilobytes altogether.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        { ...badRequest, status: 408 },
        'The request took too long to arrive. Send it again.',
      );
    default:
      return new Problem(badRequest, 'This is not an HTTP request.');
  }
}
