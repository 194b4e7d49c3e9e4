import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { networkOf } from '../addresses/index.ts';
import type { Clock } from '../clock/index.ts';
import { Problem, tooManyRequests } from '../problem/index.ts';
import type { Settings } from '../settings/index.ts';
import { admitted } from './access.ts';
import { addCheck } from './add-check.ts';
import { type CallWindow, callWindows, windowSeconds } from './call-windows.ts';
import { problemAnswers } from './schemas.ts';

type Deps = { readonly settings: Settings; readonly clock: Clock };

/** Where a request keeps the window of its network, until its account is known. */
const windowOfNetwork = Symbol('network');
type WithWindow = { [windowOfNetwork]: CallWindow };

/**
 * Counts every call of the API for the network that it comes from. To be called before the access check is installed,
 * so that a flood of made-up tokens is turned away before any of them is looked up.
 */
export function limitNetworks(app: FastifyInstance, { settings, clock }: Deps): void {
  const { callsPerMinuteOfNetwork: quota } = settings;
  const windows = callWindows();
  const policy = policyOf('network', quota);
  app.decorateRequest(windowOfNetwork, null);
  app.addHook('onRoute', (route) => {
    if (!isCallOfApi(route)) return;
    route.schema = { ...route.schema, response: { ...(route.schema?.response as object), ...tooMany } };
    addCheck(route, (request, reply, done) => {
      const window = windows.count(networkOf(request.ip), clock.now().getTime());
      (request as unknown as WithWindow)[windowOfNetwork] = window;
      reply.header('ratelimit-policy', policy);
      reply.header('ratelimit', limitOf('network', quota - window.calls, window));
      done(window.calls > quota ? refusal('this network', window) : undefined);
    });
  });
}

/** Counts every call of the API for the account that makes it. To be called after the access check is installed. */
export function limitAccounts(app: FastifyInstance, { settings }: Pick<Deps, 'settings'>): void {
  const { callsPerMinuteOfAccount: quota, callsPerMinuteOfNetwork: networkQuota } = settings;
  const windows = callWindows();
  const policy = `${policyOf('account', quota)}, ${policyOf('network', networkQuota)}`;
  const check = (request: FastifyRequest, reply: FastifyReply): Problem | undefined => {
    const caller = admitted(request);
    if (!caller) return undefined;
    const network = (request as unknown as WithWindow)[windowOfNetwork];
    const window = windows.count(caller.accountId, network.nowMs);
    const left = quota - window.calls;
    reply.header('ratelimit-policy', policy);
    // What is nearer to its end is what a client must know of.
    if (left <= networkQuota - network.calls) reply.header('ratelimit', limitOf('account', left, window));
    return left < 0 ? refusal('this account', window) : undefined;
  };
  app.addHook('onRoute', (route) => {
    if (isCallOfApi(route)) addCheck(route, (request, reply, done) => done(check(request, reply)));
  });
}

/**
 * The API's description and its reference are not calls: they are read by people who have no key yet. Nor is a browser's
 * question whether its page may call: it could not be told how long to wait.
 */
function isCallOfApi({ url, config, method }: RouteOptions): boolean {
  if (!url.startsWith('/api/') || config?.page || method === 'OPTIONS') return false;
  return url !== '/api/openapi.json' && !url.startsWith('/api/docs');
}

/** Both fields as draft-ietf-httpapi-ratelimit-headers has them since version 08: structured, one item for each policy. */
function policyOf(name: string, quota: number): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

function limitOf(name: string, left: number, window: CallWindow): string {
  return `"${name}";r=${left > 0 ? left : 0};t=${secondsLeft(window)}`;
}

function secondsLeft({ endsAtMs, nowMs }: CallWindow): number {
  return Math.ceil((endsAtMs - nowMs) / 1000);
}

function refusal(whose: string, window: CallWindow): Problem {
  const seconds = secondsLeft(window);
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
