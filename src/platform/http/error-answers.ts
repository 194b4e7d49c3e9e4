import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseIsAway } from '../database/index.ts';
import { describeError, type Log } from '../log/index.ts';
import {
  badRequest,
  internalError,
  Problem,
  tooLarge,
  unavailable,
  wrongMediaType,
} from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { recognise } from './access.ts';
import { whatIsMissing } from './wrong-method.ts';

/** How files are sent, said to whoever sends one in another way. */
export const sendFile = 'Send the file as multipart/form-data, in the field “file”.';

/** Answers a refusal as a page, for people. */
export type ErrorPage = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply;

/** Turns whatever was thrown into one kind of answer: problem+json for client systems, a page for people. */
export function installErrorAnswers(
  app: FastifyInstance,
  settings: Settings,
  log: Log,
  errorPage: ErrorPage,
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
    const problem = isCutOff(request)
      ? new Problem(badRequest, 'The request was cut off.')
      : asProblem(error as FastifyError, request);
    if (problem.kind.status >= 500)
      log.error({ request_id: request.id, error: describeError(error) }, 'request failed');
    return answer(request, reply, problem);
  });
  const missing = whatIsMissing(app);
  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request)) await recognise(request, reply);
    return answer(request, reply, missing(request));
  });
}

/** A refusal as problem+json (RFC 9457). */
export function problemBody(problem: Problem, requestId: string, settings: Settings) {
  return {
    type: `${settings.baseUrl}/problems/${problem.kind.type}`,
    title: problem.kind.title,
    status: problem.kind.status,
    detail: problem.detail ?? problem.kind.title,
    request_id: requestId,
    errors: problem.errors,
    ...problem.extra,
  };
}

/** Whoever asked went away in the middle of it: anybody can, as often as they like, and nothing is wrong with the site. */
function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

function wantsPage(request: FastifyRequest): boolean {
  const { config, url } = request.routeOptions;
  if (config?.page !== undefined) return config.page;
  return url === undefined && !/^\/(api|healthz|readyz|metrics)\b/.test(request.raw.url ?? '');
}

function asProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (databaseIsAway(error)) return away(wantsPage(request));
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem(tooLarge, 'Send at most one megabyte.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(
        wrongMediaType,
        takesFiles(request) ? sendFile : 'Send JSON, with the header Content-Type: application/json.',
      );
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

/** A change that was under way may have been stored, and only its answer lost. */
function away(forPeople: boolean): Problem {
  const detail = forPeople
    ? 'Sorry, there is a problem. Try again in a minute. If you were sending something, look first whether it arrived: it may have been stored.'
    : 'Try again in a few seconds. What you asked for may have been done: read it again, or repeat it with the same Idempotency-Key.';
  return new Problem(unavailable, detail, { headers: { 'retry-after': '5' } });
}
