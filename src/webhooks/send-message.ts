import {
  createStrangerCall,
  isWorthAnotherTry,
  mayCallStranger,
  type StrangerAnswer,
  signedHeaders,
  whyBroken,
} from '../platform/outbound/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Result } from './attempts-store.ts';
import type { Call } from './messages-store.ts';

export type Sender = (call: Call) => Promise<Result>;

const longestWaitSeconds = 24 * 3600;

/** Sends messages, or, on a test site, captures those that would leave this machine. Never throws. */
export function createSender(deps: Platform): Sender {
  const { settings, clock, log } = deps;
  const post = createStrangerCall(settings.mode);
  return async (call) => {
    const headers = headersFor(deps, call);
    if (headers === undefined) return failed(null, 'The secret cannot be read: make a new one.');
    if (settings.mode === 'test' && !mayCallStranger(new URL(call.url), 'test')) {
      const detail = 'Captured: a test site sends nothing outside this computer.';
      return { outcome: 'captured', status: null, detail, captured: { url: call.url, headers } };
    }
    try {
      return judge(await post(call.url, { headers, body: call.body }), clock.now());
    } catch (error) {
      const { code = '' } = error as { code?: string };
      log.warn({ webhook: call.webhookId, event: call.eventId, code }, 'a webhook could not be reached');
      return judgeFailure(code);
    }
  };
}

/** @returns undefined where the secret was sealed under another site key. */
function headersFor({ secrets, clock }: Platform, call: Call): Record<string, string> | undefined {
  const at = clock.now();
  const { previousSecret, previousSecretUntil } = call;
  const sealed = [call.secret];
  if (previousSecret && previousSecretUntil && previousSecretUntil > at) sealed.push(previousSecret);
  try {
    const opened = sealed.map((each) => secrets.open('webhook', call.webhookId, each));
    return {
      'content-type': 'application/json',
      'user-agent': 'Onward webhooks',
      ...signedHeaders({ id: call.eventId, body: call.body }, opened, at),
    };
  } catch {
    return undefined;
  }
}

/** Too many calls, or a proxy whose server is away. */
const saysItIsAway = [429, 502, 503, 504];

function judge({ status, retryAfter }: StrangerAnswer, now: Date): Result {
  if (status >= 200 && status < 300)
    return { outcome: 'delivered', status, detail: `It answered ${status}.` };
  if (isWorthAnotherTry(status)) {
    const waitSeconds = secondsOf(retryAfter, now);
    const unreachable = saysItIsAway.includes(status);
    return { outcome: 'will-retry', status, detail: `It answered ${status}.`, unreachable, waitSeconds };
  }
  if (status === 410) return failed(status, 'It answered 410: it wants nothing more.');
  if (status >= 300 && status < 400)
    return failed(status, `It answered ${status}: redirects are not followed. Change the webhook’s address.`);
  return failed(status, `It answered ${status}, so the same event is not sent again by itself.`);
}

/** Seconds, or a date (RFC 9110, section 10.2.3); what is neither says nothing. */
function secondsOf(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestWaitSeconds);
}

function judgeFailure(code: string): Result {
  if (code === 'ADDRESS_NOT_ALLOWED')
    return failed(null, 'Its name leads to no public address, and no other is called.');
  return { outcome: 'will-retry', status: null, detail: whyBroken(code), unreachable: true };
}

function failed(status: number | null, detail: string): Result {
  return { outcome: 'failed', status, detail };
}
