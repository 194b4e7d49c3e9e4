import { NoAnswerError, type Problem, ProblemError } from './errors.ts';
import { type Call, type Route, routeOf, type Settings } from './operations.ts';
import type { Tokens } from './tokens.ts';
import { backOffMs, wait } from './wait.ts';

// One call, from its operation to its answer: with a token, a timeout, and retries where they do no harm.

/** What is known of one request when it has ended. Nothing in it is secret or about a person, so it may be logged. */
export type CallReport = {
  operationId: string;
  method: string;
  /** The pattern, with names in place of values: `/api/referrals/{id}`. */
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Undefined when no answer came. */
  status: number | undefined;
  durationMs: number;
  requestId: string | undefined;
  /** The day on which something that this call uses stops working: the header `Sunset`. */
  sunset: string | undefined;
};

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type CallerOptions = {
  site: string;
  tokens: Tokens;
  /** How often a call is repeated. */
  retries: number;
  /** For each attempt. */
  timeoutMs: number;
  fetch: Fetch;
  headers: Readonly<Record<string, string>>;
  onCall: ((call: CallReport) => void) | undefined;
};

/** A longer Retry-After is left to the caller, as an error. */
const maxRetryAfterSeconds = 60;

type Values = Readonly<Record<string, unknown>>;
/** What `Call` takes, without its types. */
type Options = Settings & { path?: Values; query?: Values; header?: Values; body?: unknown };

type ReceivedAnswer = { response: Response; body: unknown };
type Outcome = ReceivedAnswer | { fault: string };

export function createCall(options: CallerOptions): Call {
  return (async (operationId: string, given: Options = {}) => {
    const route = routeOf(operationId);
    const idempotencyKey = idempotencyKeyFor(route, given);
    const request = prepareRequest(options, route, given, idempotencyKey);
    const call = { operationId, route, idempotencyKey };
    const isSafeToRepeat = route.reads || idempotencyKey !== undefined;

    let isRenewed = false;
    for (let attempt = 1; ; attempt += 1) {
      // Each time, because another call may have got a new one during a pause.
      const token = route.open ? undefined : await unlessAborted(options.tokens.current(), given.signal);
      const outcome = await sendOnce(options, call, request, { token, attempt, signal: given.signal });
      if (isSuccess(outcome))
        return { status: outcome.response.status, headers: outcome.response.headers, body: outcome.body };
      const error = isAnswer(outcome)
        ? refusalOf(outcome, call)
        : new NoAnswerError(failedCall(call, { mayBeDone: true }), outcome.fault);
      const status = error instanceof ProblemError ? error.status : undefined;
      if (status === 401 && token !== undefined && options.tokens.renew && !isRenewed) {
        await unlessAborted(options.tokens.renew(token), given.signal);
        isRenewed = true;
        continue;
      }
      const pauseMs = pauseBefore(attempt, error);
      if (attempt > options.retries || pauseMs === undefined) throw error;
      // A 429 comes before any work is done.
      if (!isSafeToRepeat && status !== 429) throw error;
      await wait(pauseMs, given.signal);
    }
  }) as Call;
}

const isAnswer = (outcome: Outcome): outcome is ReceivedAnswer => 'response' in outcome;
const isHtml = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/html') === true;
/** The API never answers with a page. One comes from something in between, such as the sign-in page of a network. */
const isSuccess = (outcome: Outcome): outcome is ReceivedAnswer =>
  isAnswer(outcome) && outcome.response.ok && !isHtml(outcome.response);

/**
 * The idempotency key of a write, so that it is done once even if it is sent again. Undefined for operations that take
 * none.
 */
function idempotencyKeyFor({ takesKey }: Route, { idempotencyKey, header }: Options): string | undefined {
  if (!takesKey) return undefined;
  return idempotencyKey ?? (header?.['idempotency-key'] as string | undefined) ?? crypto.randomUUID();
}

/** How long to wait before the next attempt; undefined if another attempt would not help. */
function pauseBefore(attempt: number, error: ProblemError | NoAnswerError): number | undefined {
  if (error instanceof NoAnswerError) return backOffMs(attempt);
  const isPassing = [429, 502, 503, 504].includes(error.status) || error.code === 'still-in-progress';
  const seconds = error.retryAfterSeconds ?? 0;
  if (!isPassing || seconds > maxRetryAfterSeconds) return undefined;
  return Math.max(seconds * 1000, backOffMs(attempt));
}

/** What all attempts of a call have in common. */
type CallInProgress = { operationId: string; route: Route; idempotencyKey: string | undefined };

/** Reading changes nothing, so nothing may be done of it. */
function failedCall(
  { operationId, route, idempotencyKey }: CallInProgress,
  { mayBeDone }: { mayBeDone: boolean },
): ConstructorParameters<typeof ProblemError>[0] {
  return { operationId, mayBeDone: mayBeDone && !route.reads, idempotencyKey };
}

type PreparedRequest = { url: string; headers: Headers; body: FormData | string | undefined };

function prepareRequest(
  { site, headers }: CallerOptions,
  route: Route,
  { path = {}, query = {}, header = {}, body }: Options,
  key: string | undefined,
): PreparedRequest {
  const url = site + fillIn(route.path, path) + queryOf(query);
  const isForm = body instanceof FormData;
  // Some calls want a body even if there is nothing to say.
  const sentBody = isForm ? body : body === undefined ? undefined : JSON.stringify(body);
  const sentHeaders = new Headers({ accept: 'application/json', ...headers });
  if (sentBody !== undefined && !isForm) sentHeaders.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(header))
    if (value !== undefined) sentHeaders.set(name, String(value));
  if (key !== undefined) sentHeaders.set('idempotency-key', key);
  return { url, headers: sentHeaders, body: sentBody };
}

type Attempt = { token: string | undefined; attempt: number; signal: AbortSignal | undefined };

/** Sends the request, and reports it. */
async function sendOnce(
  { fetch, timeoutMs, onCall }: CallerOptions,
  { operationId, route: { method, path } }: CallInProgress,
  { url, headers, body }: PreparedRequest,
  { token, attempt, signal }: Attempt,
): Promise<Outcome> {
  signal?.throwIfAborted();
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const startedAt = performance.now();
  const abort = new AbortController();
  const stop = () => abort.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  let outcome: Outcome;
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: abort.signal,
      // Nothing about a person is sent on to another address.
      redirect: 'manual',
    });
    outcome = { response, body: await readBody(response) };
    // A stream is read after this, for as long as it takes.
    if (!(outcome.body instanceof ReadableStream)) signal?.removeEventListener('abort', stop);
  } catch (error) {
    signal?.throwIfAborted();
    outcome = { fault: abort.signal.aborted ? 'time-out' : nameOf(error) };
  } finally {
    clearTimeout(timer);
  }
  const response = isAnswer(outcome) ? outcome.response : undefined;
  const durationMs = performance.now() - startedAt;
  const readHeader = (name: string) => response?.headers.get(name) ?? undefined;
  report(onCall, {
    operationId,
    method,
    path,
    attempt,
    status: response?.status,
    durationMs,
    requestId: readHeader('x-request-id'),
    sunset: readHeader('sunset'),
  });
  return outcome;
}

/** @throws TypeError when a value is missing, or would lead to another path. */
function fillIn(path: string, values: Values): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`path.${name} is missing.`);
    return encodeURIComponent(value);
  });
}

function queryOf(values: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each));
  return query.size > 0 ? `?${query}` : '';
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/(problem\+)?json\b/.test(type)) return response.json();
  if (response.ok && type.startsWith('application/x-ndjson')) return response.body;
  const file = await response.blob();
  return type === '' && file.size === 0 ? undefined : file;
}

/** A refusal of the site, or of something between here and there, whose text is not passed on. */
function refusalOf({ response, body }: ReceivedAnswer, call: CallInProgress): ProblemError {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const problem = isProblem ? (body as Problem) : problemNotFromSite(response);
  const mayBeDone = !isProblem || response.status >= 500;
  return new ProblemError(failedCall(call, { mayBeDone }), problem, retryAfter(response));
}

function problemNotFromSite({ status, headers }: Response): Problem {
  return {
    type: 'unexpected-answer',
    title: 'The answer is not one of the site',
    status,
    code: 'unexpected-answer',
    detail: 'Something between you and the site may have given it, such as a proxy.',
    request_id: headers.get('x-request-id') ?? '',
  };
}

/** In seconds, or as a date. */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Such as ECONNRESET. Nothing else of the error is passed on: it may hold the request, with its token. */
function nameOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const name = cause?.code ?? code;
  return typeof name === 'string' && /^[A-Z][A-Z_]+$/.test(name) ? name : 'network fault';
}

/** A log that fails must not look like a call that failed. */
function report(onCall: CallerOptions['onCall'], call: CallReport): void {
  try {
    onCall?.(call);
  } catch {}
}

/** Stops waiting when the signal is aborted. The promise itself goes on, because other calls may wait for it too. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
