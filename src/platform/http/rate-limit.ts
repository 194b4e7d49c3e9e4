import type { FastifyInstance, FastifyReply, onRequestHookHandler, RouteOptions } from 'fastify';
import { networkOf } from '../addresses/index.ts';
import type { Clock } from '../clock/index.ts';
import { Problem, tooManyRequests } from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { admitted } from './access.ts';
import { type CallWindow, callWindows, windowSeconds } from './call-windows.ts';
import { problemAnswers } from './schemas.ts';

type Deps = { readonly settings: Settings; readonly clock: Clock };

/** Adds the refusal to the description of every call. To be called before the descriptions are collected. */
export function describeLimits(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!isCallOfApi(route)) return;
    route.schema = { ...route.schema, response: { ...(route.schema?.response as object), ...tooMany } };
  });
}

/**
 * Counts every call of the API for the network that it comes from, so that a flood of made-up tokens is turned away
 * before any of them is looked up, and then for the account that the access check finds. To be called after that check
 * is installed: the counts are put around it, since a check of its own for each costs more than the counting.
 */
export function installLimits(app: FastifyInstance, deps: Deps): void {
  const around = limiter(deps);
  app.addHook('onRoute', (route) => {
    if (!isCallOfApi(route)) return;
    const checks = [route.onRequest ?? []].flat();
    const access = route.config?.access?.kind === 'anyone' ? undefined : checks.pop();
    route.onRequest = [...checks, around(access)];
  });
}

function limiter({ settings, clock }: Deps): (access?: onRequestHookHandler) => onRequestHookHandler {
  const { callsPerMinuteOfAccount: quota, callsPerMinuteOfNetwork: networkQuota } = settings;
  const accounts = callWindows();
  const networks = callWindows();
  const networkPolicy = policyOf('network', networkQuota);
  const policy = `${policyOf('account', quota)}, ${networkPolicy}`;
  const letIn: onRequestHookHandler = (_request, _reply, done) => done();

  return (access = letIn) =>
    function (request, reply, done) {
      const nowMs = clock.now().getTime();
      const network = networks.count(networkOf(request.ip), nowMs);
      const networkLeft = networkQuota - network.calls;
      if (networkLeft < 0) {
        tell(reply, networkPolicy, limitOf('network', networkLeft, network, nowMs));
        return done(refusal('this network', network, nowMs));
      }
      access.call(this, request, reply, (error) => {
        const caller = error === undefined ? admitted(request) : undefined;
        if (!caller) {
          tell(reply, networkPolicy, limitOf('network', networkLeft, network, nowMs));
          return done(error);
        }
        const account = accounts.count(caller.accountId, nowMs);
        const left = quota - account.calls;
        // What is nearer to its end is what a client must know of.
        const nearer =
          left <= networkLeft
            ? limitOf('account', left, account, nowMs)
            : limitOf('network', networkLeft, network, nowMs);
        tell(reply, policy, nearer);
        done(left < 0 ? refusal('this account', account, nowMs) : undefined);
      });
    };
}

/**
 * The API's description and its reference are not calls: they are read by people who have no key yet. Nor is a browser's
 * question whether its page may call: it could not be told how long to wait.
 */
function isCallOfApi({ url, config, method }: RouteOptions): boolean {
  if (config?.countsAsCall) return true;
  if (!url.startsWith('/api/') || config?.page || method === 'OPTIONS') return false;
  return url !== '/api/openapi.json' && !url.startsWith('/api/docs');
}

/** Both fields as draft-ietf-httpapi-ratelimit-headers has them since version 08: structured, one item for each policy. */
function tell(reply: FastifyReply, policy: string, limit: string): void {
  reply.header('ratelimit-policy', policy);
  reply.header('ratelimit', limit);
}

function policyOf(name: string, quota: number): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

function limitOf(name: string, left: number, window: CallWindow, nowMs: number): string {
  return `"${name}";r=${left > 0 ? left : 0};t=${secondsLeft(window, nowMs)}`;
}

function secondsLeft({ endsAtMs }: CallWindow, nowMs: number): number {
  return Math.ceil((endsAtMs - nowMs) / 1000);
}

function refusal(whose: string, window: CallWindow, nowMs: number): Problem {
  const seconds = secondsLeft(window, nowMs);
  return new Problem(
    tooManyRequests,
    `Too many calls came from ${whose}. Call again in ${seconds} seconds.`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  );
}

const tooMany = problemAnswers({
  429: 'Too many calls came from the account or its network. Wait for as many seconds as Retry-After says.',
});
