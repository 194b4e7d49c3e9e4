import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock/index.ts';
import { createStrangerReading, type StrangerReading } from '../../../platform/outbound/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { feedUnreadable } from '../../problems.ts';
import type { FeedAddress } from './feed-address.ts';

/** Gives the answer of a feed to a path below its base, as JSON. */
export type FeedClient = (path: string) => Promise<unknown>;

export type FeedManners = {
  timeoutMs?: number;
  /** Waits; the tests count instead. */
  pause?: (ms: number) => Promise<unknown>;
};

const limits = { timeoutMs: 60_000, mostBytes: 64 * 1024 ** 2 };
/** One question at a time, and not one right after the other: others use the feed too. */
const betweenMs = 100;
const pausesMs = [1000, 4000, 15_000];
const longestWaitMs = 5 * 60_000;
/** Some feeds stand behind what turns away whoever does not say who asks. */
const headers = { accept: 'application/json', 'user-agent': 'Onward library import' };

/** Asks a feed politely: again after faults that pass, and as late as it says. @throws Problem `feed-unreadable`. */
export function feedClient(
  mode: Settings['mode'],
  clock: Clock,
  { base, query }: Pick<FeedAddress, 'base' | 'query'>,
  { timeoutMs = limits.timeoutMs, pause = delay }: FeedManners,
): FeedClient {
  const read = createStrangerReading(mode, { ...limits, timeoutMs });
  const addressOf = (path: string) =>
    query === '' ? `${base}${path}` : `${base}${path}${path.includes('?') ? '&' : '?'}${query}`;
  return async (path) => {
    await pause(betweenMs);
    for (let attempt = 0; ; attempt += 1) {
      const answer = await read(addressOf(path), headers).catch(failureOf);
      if (answer.status === 200) return parsed(answer);
      const pauseMs = pausesMs[attempt];
      if (!isPassing(answer) || pauseMs === undefined)
        throw new Problem(feedUnreadable, whyNot(answer, base));
      const wantedMs = retryAfterMs(answer.retryAfter, clock);
      if (wantedMs > longestWaitMs)
        throw new Problem(feedUnreadable, 'The feed asks to be left alone for a while.');
      await pause(Math.max(pauseMs, wantedMs));
    }
  };
}

type Failure = { status: 0; code: string; retryAfter: undefined };

function failureOf(error: unknown): Failure {
  const { code, name } = error as NodeJS.ErrnoException;
  return { status: 0, code: typeof code === 'string' ? code : name, retryAfter: undefined };
}

/** Refused by this site itself: asking again would change nothing. */
const lasting = ['ADDRESS_NOT_ALLOWED', 'ANSWER_TOO_LARGE'];

function isPassing(answer: Failure | StrangerReading): boolean {
  if ('code' in answer) return !lasting.includes(answer.code);
  return answer.status === 408 || answer.status === 429 || answer.status >= 500;
}

function parsed({ body }: StrangerReading): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Problem(
      feedUnreadable,
      body.toString('latin1', 0, 200).trimStart().startsWith('<')
        ? 'The feed answers with a web page, not with JSON: is it the address of its API?'
        : 'The feed answers with something that is not JSON.',
    );
  }
}

function whyNot(answer: Failure | StrangerReading, base: string): string {
  if ('code' in answer) {
    switch (answer.code) {
      case 'ADDRESS_NOT_ALLOWED':
        return 'This site may not call that address: a test site calls this machine alone, a live one public addresses by https.';
      case 'ANSWER_TOO_LARGE':
        return 'The feed answers with more than 64 megabytes at once.';
      case 'TimeoutError':
      case 'ABORT_ERR':
        return 'The feed does not answer in time.';
    }
    return `The feed cannot be reached (${answer.code}).`;
  }
  const { status } = answer;
  if (status >= 300 && status < 400) return `The feed sends on to ${whereTo(answer.location, base)}`;
  if (status === 401 || status === 403) return 'The feed is not open: it asks for a key.';
  if (status === 404) return 'There is no Open Referral feed at that address.';
  return `The feed answers with status ${status}.`;
}

/** It is named without its query, which may hold a key, and as the address of a feed. */
function whereTo(location: string | undefined, base: string): string {
  const url = location !== undefined && URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'another address, and does not say which.';
  return `${url.origin}${url.pathname.replace(/\/services$/, '')}: import from that address.`;
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function retryAfterMs(header: string | undefined, clock: Clock): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - clock.now().getTime());
}
