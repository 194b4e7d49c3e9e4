import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../platform/clock/index.ts';
import { createYielder } from '../../platform/concurrency/yielder.ts';
import { minuteMs } from '../../platform/durations.ts';
import {
  createUntrustedRead,
  isRetryable,
  type ReadAnswer,
  readRetryAfterMs,
} from '../../platform/outbound/index.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { cutIntoChunks } from '../import/read/open-file.ts';
import { maxRecordLength } from '../import/read/split-lines.ts';
import { ValueSplitter } from '../import/read/split-values.ts';
import type { FeedAddress } from './feed-address.ts';

export const feedUnreadable = defineProblem({
  type: 'feed-unreadable',
  status: 502,
  title: 'The feed could not be read to its end',
});

/** Gives the answer of a feed to a path below its base, as JSON. */
export type FeedClient = (path: string) => Promise<unknown>;

export type FeedTiming = {
  timeoutMs?: number;
  /** Waits. A test counts the pauses instead. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
};

/** Limits for one answer, retries included. */
const limits = { timeoutMs: minuteMs, maxBytes: 64 * 1024 ** 2 };
/** The pause between two requests. They never run side by side, because others use the feed too. */
const pauseBetweenCallsMs = 100;
const retryPausesMs = [1000, 4000, 15_000];
const maxWaitMs = 5 * minuteMs;
/** Some feeds are behind a proxy that refuses requests without a user agent. */
const headers = { accept: 'application/json', 'user-agent': 'Onward library import' };

/** Reads a feed. It retries temporary failures, and waits as long as the feed asks. @throws Problem `feed-unreadable`. */
export function feedClient(
  mode: Settings['mode'],
  clock: Clock,
  { base, query }: Pick<FeedAddress, 'base' | 'query'>,
  { timeoutMs = limits.timeoutMs, pause = waitFor }: FeedTiming,
  signal?: AbortSignal,
): FeedClient {
  const addressOf = (path: string) =>
    query === '' ? `${base}${path}` : `${base}${path}${path.includes('?') ? '&' : '?'}${query}`;
  return async (path) => {
    await pause(pauseBetweenCallsMs, signal);
    let leftMs = timeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      const startedMs = performance.now();
      const read = createUntrustedRead(mode, { ...limits, timeoutMs: Math.max(1, Math.ceil(leftMs)) });
      const answer = await read(addressOf(path), headers, signal).catch(failureOf);
      leftMs -= performance.now() - startedMs;
      signal?.throwIfAborted();
      if ('body' in answer && answer.status === 200) return parseAnswer(answer.body, signal);
      const pauseMs = retryPausesMs[attempt];
      if (!isTransient(answer) || pauseMs === undefined)
        throw new Problem(feedUnreadable, failureDetail(answer, base));
      const requestedPauseMs = readRetryAfterMs(answer.retryAfter, clock.now()) ?? 0;
      if (requestedPauseMs > maxWaitMs)
        throw new Problem(feedUnreadable, 'The feed asks us to wait longer than an import can.');
      await pause(Math.max(pauseMs, requestedPauseMs), signal);
    }
  };
}

type Failure = { status: 0; code: string; retryAfter: undefined };

function failureOf(error: unknown): Failure {
  const { code, name } = error as NodeJS.ErrnoException;
  return { status: 0, code: typeof code === 'string' ? code : name, retryAfter: undefined };
}

/** Errors after which a retry would fail too: this site refused the call, or the time is over. */
const permanentErrorCodes = ['ADDRESS_NOT_ALLOWED', 'ANSWER_TOO_LARGE', 'ABORT_ERR'];

function isTransient(answer: Failure | ReadAnswer): boolean {
  if ('code' in answer) return !permanentErrorCodes.includes(answer.code);
  return isRetryable(answer.status);
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}

function failureDetail(answer: Failure | ReadAnswer, base: string): string {
  if ('code' in answer) {
    switch (answer.code) {
      case 'ADDRESS_NOT_ALLOWED':
        return 'This site may not call that address: a test site calls this machine alone, a live one public addresses by https.';
      case 'ANSWER_TOO_LARGE':
        return 'The feed answers with more than 64 megabytes at once.';
      case 'ABORT_ERR':
        return 'The feed does not answer in time.';
    }
    return `The feed cannot be reached (${answer.code}).`;
  }
  const { status } = answer;
  if (status >= 300 && status < 400) return `The feed sends on to ${describeRedirect(answer.location, base)}`;
  if (status === 401 || status === 403) return 'The feed is not open: it requires a key.';
  if (status === 404) return 'There is no Open Referral feed at that address.';
  return `The feed answers with status ${status}.`;
}

/** Says to which address a feed redirects, without its query, which may hold a key. */
function describeRedirect(location: string | undefined, base: string): string {
  const url = location !== undefined && URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'another address, and does not say which.';
  return `${url.origin}${url.pathname.replace(/\/services$/, '')}: import from that address.`;
}

/** The names of the list on a page: today's, and that of version 1. */
const listNames = ['contents', 'content'];
/** Entries of one page: enough for all services of a country, from a feed without pages. */
const maxEntries = 100_000;

/**
 * A feed's answer as JSON. `JSON.parse` of a long one would keep the site busy for seconds, so the entries of a long list are
 * parsed one by one, and the object around them separately.
 * @throws Problem `feed-unreadable`; or the reason of the signal.
 */
export async function parseAnswer(body: Buffer, signal?: AbortSignal): Promise<unknown> {
  const answer = body.length <= maxRecordLength ? parseJson(body) : await parseInTurns(body, signal);
  const { contents, content } = (answer ?? {}) as { contents?: unknown; content?: unknown };
  const entries = [answer, contents, content].find(Array.isArray) ?? [];
  if (entries.length > maxEntries) throw new Problem(feedUnreadable, tooManyEntries);
  return answer;
}

const tooManyEntries = `The feed gives more than ${maxEntries.toLocaleString('en-GB')} entries at once.`;

async function parseInTurns(body: Buffer, signal: AbortSignal | undefined): Promise<unknown> {
  const yielder = createYielder(signal);
  const splitter = new ValueSplitter(1, listNames);
  const entries: unknown[] = [];
  for (const piece of cutIntoChunks(body)) {
    for (const cut of splitter.push(piece)) {
      if (yielder.shouldYield()) await yielder.yieldNow();
      if ('reason' in cut)
        throw new Problem(feedUnreadable, 'The feed answers with more than a megabyte for one entry.');
      if (entries.length === maxEntries) throw new Problem(feedUnreadable, tooManyEntries);
      entries.push(parseJson(cut.bytes));
    }
    if (yielder.shouldYield()) await yielder.yieldNow();
  }
  const { recordsFrom = 0, recordsTo } = splitter;
  // The list without its entries, and what stands around it.
  const frame = Buffer.concat([body.subarray(0, recordsFrom), body.subarray(recordsTo)]);
  if (frame.length > maxRecordLength) throw new Problem(feedUnreadable, notJson);
  const page = parseJson(frame);
  if (Array.isArray(page)) return entries;
  const name = listNames.find((each) => Object.hasOwn(Object(page), each));
  return name === undefined ? page : { ...(page as object), [name]: entries };
}

const notJson = 'The feed answers with something that is not JSON.';

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw new Problem(
      feedUnreadable,
      text.toString('latin1', 0, 200).trimStart().startsWith('<')
        ? 'The feed answers with a web page, not with JSON: is it the address of its API?'
        : notJson,
    );
  }
}
