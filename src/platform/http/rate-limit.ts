import type { FastifyInstance, FastifyReply, onRequestHookHandler, RouteOptions } from 'fastify';
import type { Clock } from '../clock/index.ts';
import { type CallWindow, createCallWindows, windowMs } from '../concurrency/call-windows.ts';
import { secondMs } from '../durations.ts';
import { networkOf } from '../ip-addresses/index.ts';
import { Problem, tooManyRequests } from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { isAccessCheck, isApiPath, requestCaller } from './access.ts';
import { problemAnswers } from './schemas.ts';

type Deps = { readonly settings: Settings; readonly clock: Clock };

/** Adds the 429 answer to the description of every API route. Call it before descriptions are collected. */
export function describeRateLimits(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!isCounted(route)) return;
    route.schema = { ...route.schema, response: { ...(route.schema?.response as object), ...tooManyCalls } };
  });
}

/**
 * Counts every API call twice: first for its network, so that a flood of made-up tokens is refused before any is looked up,
 * then for the account that the access check finds. Call it after that check is installed. Ours, because @fastify/rate-limit
 * counts one key for a request and does not write the current draft's `RateLimit` header.
 */
export function installRateLimits(app: FastifyInstance, deps: Deps): void {
  const countCalls = countingChecks(deps);
  app.addHook('onRoute', (route) => {
    if (!isCounted(route)) return;
    const checks = [route.onRequest ?? []].flat();
    const index = checks.findIndex(isAccessCheck);
    route.onRequest =
      index === -1 ? [...checks, countCalls()] : checks.with(index, countCalls(checks[index]));
  });
}

/** @returns a function that makes an access check count its calls. */
function countingChecks({
  settings,
  clock,
}: Deps): (accessCheck?: onRequestHookHandler) => onRequestHookHandler {
  const { callsPerMinuteOfAccount: quota, callsPerMinuteOfNetwork: networkQuota } = settings;
  const accounts = createCallWindows();
  const networks = createCallWindows();
  const networkPolicy = policyOf('network', networkQuota);
  const policy = `${policyOf('account', quota)}, ${networkPolicy}`;
  const noCheck: onRequestHookHandler = (_request, _reply, done) => done();

  return (accessCheck = noCheck) =>
    function (request, reply, done) {
      const nowMs = clock.now().getTime();
      const network = networks.count(networkOf(request.ip), nowMs);
      const networkLeft = networkQuota - network.calls;
      if (networkLeft < 0) {
        setHeaders(reply, networkPolicy, limitHeader('network', networkLeft, network, nowMs));
        return done(refusal('this network', network, nowMs));
      }
      accessCheck.call(this, request, reply, (error) => {
        const caller = error === undefined ? requestCaller(request) : undefined;
        if (!caller) {
          setHeaders(reply, networkPolicy, limitHeader('network', networkLeft, network, nowMs));
          return done(error);
        }
        const account = accounts.count(caller.accountId, nowMs);
        const left = quota - account.calls;
        // The client is told about the limit that it will reach first.
        const nearer =
          left <= networkLeft
            ? limitHeader('account', left, account, nowMs)
            : limitHeader('network', networkLeft, network, nowMs);
        setHeaders(reply, policy, nearer);
        done(left < 0 ? refusal('this account', account, nowMs) : undefined);
      });
    };
}

/**
 * The API document and the reference are not counted: people without a key read them. CORS preflights are not counted either,
 * because no header makes a browser delay one.
 */
function isCounted({ url, config, method }: RouteOptions): boolean {
  if (config?.countsAsCall) return true;
  if (!isApiPath(url) || config?.page || method === 'OPTIONS') return false;
  return url !== '/api/openapi.json' && !url.startsWith('/api/docs');
}

/** Both header fields as in draft-ietf-httpapi-ratelimit-headers-08: structured, one item for each policy. */
function setHeaders(reply: FastifyReply, policy: string, limit: string): void {
  reply.header('ratelimit-policy', policy);
  reply.header('ratelimit', limit);
}

function policyOf(name: string, quota: number): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

function limitHeader(name: string, left: number, window: CallWindow, nowMs: number): string {
  return `"${name}";r=${left > 0 ? left : 0};t=${secondsLeft(window, nowMs)}`;
}

function secondsLeft({ endsAtMs }: CallWindow, nowMs: number): number {
  return Math.ceil((endsAtMs - nowMs) / 1000);
}

function refusal(whose: string, window: CallWindow, nowMs: number): Problem {
  const seconds = secondsLeft(window, nowMs);
  return new Problem(tooManyRequests, callAgainIn(seconds, whose), {
    headers: { 'retry-after': String(seconds) },
  });
}

const tooManyCalls = problemAnswers({ 429: 'Too many calls came from the account or its network.' });

export function callAgainIn(seconds: number, whose = 'this account'): string {
  return `Too many calls came from ${whose}. Call again in ${inSeconds(seconds)}.`;
}

/** “1 second” or “7 seconds”. */
export const inSeconds = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;

const windowSeconds = windowMs / secondMs;
