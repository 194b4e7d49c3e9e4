import { dayMs, secondMs } from '../../platform/durations.ts';
import {
  createUntrustedPost,
  describeNetworkError,
  mayCallTyped,
  type PostAnswer,
  readRetryAfterMs,
  signedHeaders,
} from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CallResult } from '../model/attempts-store.ts';
import type { DueCall } from '../model/calls-store.ts';

export type SendCall = (call: DueCall) => Promise<CallResult>;

const maxWaitSeconds = dayMs / secondMs;

/** Makes the function that calls a webhook. A test site captures calls that would leave this computer. It never throws. */
export function createSender(deps: Platform): SendCall {
  const { settings, clock, log } = deps;
  const post = createUntrustedPost(settings.mode);
  return async (call) => {
    const headers = headersFor(deps, call);
    if (headers === undefined) return retryLater(null, 'The secret cannot be read: make a new one.');
    if (settings.mode === 'test' && !mayCallTyped(new URL(call.url), 'test')) {
      const detail = 'Captured: a test site sends nothing outside this computer.';
      return { outcome: 'captured', status: null, detail, captured: { url: call.url, headers } };
    }
    try {
      return resultOf(await post(call.url, { headers, body: call.body }), clock.now());
    } catch (error) {
      const { code = '' } = error as { code?: string };
      log.warn({ webhook: call.webhookId, event: call.eventId, code }, 'a webhook could not be reached');
      return resultOfFailure(code);
    }
  };
}

/** @returns undefined when the secret was sealed under another site key. */
function headersFor({ secrets, clock }: Platform, call: DueCall): Record<string, string> | undefined {
  const at = clock.now();
  const { previousSecret, previousSecretUntil } = call;
  const sealedSecrets = [call.secret];
  if (previousSecret && previousSecretUntil && previousSecretUntil > at) sealedSecrets.push(previousSecret);
  try {
    const plainSecrets = sealedSecrets.map((each) => secrets.open('webhook', call.webhookId, each));
    return {
      'content-type': 'application/json',
      'user-agent': 'Onward webhooks',
      ...signedHeaders({ id: call.eventId, body: call.body }, plainSecrets, at),
    };
  } catch {
    return undefined;
  }
}

/** Statuses of a busy receiver: too many calls, or a proxy that cannot reach its server. */
const unavailableStatuses = [429, 502, 503, 504];

function resultOf({ status, retryAfter }: PostAnswer, now: Date): CallResult {
  if (status >= 200 && status < 300)
    return { outcome: 'delivered', status, detail: `It answered ${status}.` };
  if (status === 410) return { outcome: 'failed', status, detail: 'It answered 410: it asked us to stop.' };
  const waitMs = readRetryAfterMs(retryAfter, now);
  const waitSeconds = waitMs === undefined ? undefined : Math.min(waitMs / 1000, maxWaitSeconds);
  const isUnavailable = unavailableStatuses.includes(status);
  return {
    ...retryLater(status, `It answered ${status}.${hint(status)}`),
    isUnavailable,
    waitSeconds,
  };
}

/** A call is retried after every answer but 2xx and 410: a mistake may be mended within days, and the event is still of use then. */
function retryLater(status: number | null, detail: string): CallResult {
  return { outcome: 'will-retry', status, detail };
}

function hint(status: number): string {
  if (status >= 300 && status < 400) return ' Redirects are not followed: change the webhook’s address.';
  return status === 400 || status === 401 || status === 403 ? ' Does your system have the right secret?' : '';
}

function resultOfFailure(code: string): CallResult {
  if (code === 'ADDRESS_NOT_ALLOWED')
    return {
      ...retryLater(null, 'Its host name has no public address, and no other is called.'),
      isUnavailable: true,
    };
  return { ...retryLater(null, describeNetworkError(code)), isUnavailable: true };
}
