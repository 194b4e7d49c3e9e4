import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../accounts/index.ts';
import { cachedUntilNotice, inTransaction, type Notices } from '../../platform/database/index.ts';
import { secondMs } from '../../platform/durations.ts';
import {
  type App,
  addCheck,
  inSeconds,
  type Reply,
  type Request,
  requestCaller,
} from '../../platform/http/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, tooManyRequests, unavailable } from '../../platform/problem/index.ts';
import {
  endedTokenProblem,
  endTokens,
  expiredTokenProblem,
  expireToken,
  findHolderOfRefreshToken,
  type TokenDeps,
} from '../../tokens/index.ts';
import { createSender, deletedEventsProblem, type SendCall } from '../../webhooks/index.ts';
import { kindsOf, troublesChanged } from './change-troubles.ts';
import { refreshOperation, type Trouble } from './trouble.ts';
import { listTroubledAccounts, takeTrouble } from './troubles-store.ts';

type Deps = TokenDeps & { readonly notices: Notices };

/** Every simulated failure sets this header, with the kind of trouble. */
const header = 'onward-simulated';

/**
 * Simulates failures on the calls of the accounts that asked for them. Call it on a test site only, after the access check is
 * installed and before routes are added.
 * @returns `operations`, to be called once the routes are added: the operations that can be made to fail.
 */
export function installTroubles(app: App, deps: Deps): { operations(): ReadonlySet<string> } {
  const troubledAccounts = cachedUntilNotice(deps.db, deps.notices, troublesChanged, () =>
    listTroubledAccounts(deps.db),
  );
  const operations = new Set<string>();
  /** Troubles that still have to change the answer to their request. */
  const simulated = new WeakMap<Request, Trouble>();
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  async function simulateFailure(
    request: Request,
    reply: Reply,
    accountId: string,
    operationId: string,
  ): Promise<void> {
    const trouble = await inTransaction(deps.db, (trx) =>
      takeTrouble(trx, accountId, {
        kinds: kindsOf(operationId).filter((kind) => kind !== 'event-gap' || continuesFromAnEvent(request)),
        operationId,
        mustBeNamed: operationId === refreshOperation,
        now: deps.clock.now(),
      }),
    );
    if (!trouble) return;
    reply.header(header, trouble.kind);
    const refusal = await refusalOf(deps, request, trouble);
    if (refusal) throw refusal;
    simulated.set(request, trouble);
  }

  /** Delays the answer, or closes the connection instead. */
  async function alterAnswer(request: Request, reply: Reply, payload: unknown): Promise<unknown> {
    const trouble = simulated.get(request);
    if (trouble?.kind === 'lose-answer') reply.raw.destroy();
    if (trouble?.kind === 'slow')
      // A site that stops does not wait for the delay.
      await pause(trouble.seconds! * secondMs, undefined, { signal: closing.signal }).catch(() => undefined);
    return payload;
  }

  app.addHook('onRoute', (route) => {
    const { operationId } = (route.schema ?? {}) as { operationId?: string };
    if (operationId === undefined || !canHaveTroubles(route, operationId) || route.method === 'HEAD') return;
    operations.add(operationId);
    route.onSend = [...[route.onSend ?? []].flat(), alterAnswer as never];
    if (operationId === refreshOperation) {
      // After the body is parsed, because it says whose call this is.
      const simulate = async (request: Request, reply: Reply) => {
        if ((await troubledAccounts.get()).size === 0) return;
        const { refreshToken } = request.body as { refreshToken: string };
        const accountId = await findHolderOfRefreshToken(deps, refreshToken);
        if (accountId) await simulateFailure(request, reply, accountId, operationId);
      };
      route.preHandler = [...[route.preHandler ?? []].flat(), simulate as never];
      return;
    }
    addCheck(route, async (request: Request, reply: Reply) => {
      const accountId = requestCaller(request)?.accountId;
      if (accountId && (await troubledAccounts.get()).has(accountId))
        await simulateFailure(request, reply, accountId, operationId);
    });
  });
  return { operations: () => operations };
}

/** Whether troubles can be played on a route. The calls of the simulator itself always work. */
function canHaveTroubles(
  { url, config }: { url: string; config?: { access?: { kind: string } } },
  operationId: string,
): boolean {
  if (operationId === refreshOperation) return true;
  return !url.startsWith('/api/simulator') && ['token', 'reader'].includes(config?.access?.kind ?? '');
}

function continuesFromAnEvent({ query }: Request): boolean {
  return 'after' in (query as object) || 'cursor' in (query as object);
}

/** The problem with which the call is refused, before anything is done; undefined if the call is carried out. */
async function refusalOf(
  deps: Deps,
  request: Request,
  { kind, seconds }: Trouble,
): Promise<Problem | undefined> {
  const caller = requestCaller(request) as Caller;
  const headers = { 'retry-after': String(seconds) };
  switch (kind) {
    case 'expire-token':
      await inTransaction(deps.db, (trx) => expireToken(trx, deps, caller, tokenOf(request)));
      return expiredTokenProblem();
    case 'end-tokens':
      await inTransaction(deps.db, (trx) => endTokens(trx, caller));
      return endedTokenProblem();
    case 'too-many-requests':
      return new Problem(tooManyRequests, `Simulated. Call again in ${inSeconds(seconds!)}.`, { headers });
    case 'unavailable':
      return new Problem(unavailable, `Simulated. Call again in ${inSeconds(seconds!)}.`, { headers });
    case 'event-gap':
      return deletedEventsProblem(deps, caller);
    default:
      return undefined;
  }
}

/** The access check has read this header. */
function tokenOf({ headers }: Request): string {
  return headers.authorization!.trim().split(/ +/)[1]!;
}

/** Calls webhooks as a site does, except that calls fail for an account that asked for this. */
export function senderWithTroubles(deps: Platform): SendCall {
  const send = createSender(deps);
  if (deps.settings.mode !== 'test') return send;
  return async (call) => {
    const trouble = await takeTrouble(deps.db, call.accountId, {
      kinds: ['webhook-failing'],
      operationId: null,
      now: deps.clock.now(),
    });
    if (!trouble) return send(call);
    return { outcome: 'will-retry', status: 500, detail: 'Simulated: it answered 500.' };
  };
}
