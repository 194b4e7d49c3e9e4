import type { Dispatcher } from 'undici';
import type { Settings } from '../settings/index.ts';
import { lookupPublic, mayCallTyped, type Resolve } from './addresses.ts';
import { OutboundError, type OutboundRequest, readFirstBytes, readWhole, sendRequest } from './request.ts';

type Mode = Settings['mode'];
type Message = { headers: Record<string, string>; body: string };

/** The outcome of a post. Nothing else of the answer is kept. */
export type PostAnswer = { readonly status: number; readonly retryAfter: string | undefined };

/** What was read: `body` is empty unless the status is 200. */
export type ReadAnswer = PostAnswer & {
  /** Where a redirect leads, as it says. */
  readonly location: string | undefined;
  readonly body: Buffer;
};

/** A longer answer to a post is not read to its end. */
const maxPostAnswerBytes = 64 * 1024;

/**
 * Makes a client that posts to addresses that people typed in. Addresses of no public network are refused when the connection is made,
 * so that a name cannot lead elsewhere after it was checked. `resolve` is for tests.
 * @throws OutboundError `ADDRESS_NOT_ALLOWED`; NoAnswer.
 */
export function createUntrustedPost(mode: Mode, limits: { timeoutMs?: number; resolve?: Resolve } = {}) {
  const { timeoutMs = 10_000, resolve } = limits;
  return (address: string, { headers, body }: Message): Promise<PostAnswer> =>
    callUntrusted(
      mode,
      address,
      { method: 'POST', headers, body },
      { timeoutMs, resolve },
      async (answer) => {
        const outcome = outcomeOf(answer);
        // A receiver may finish its answer, but not keep the site busy.
        await readFirstBytes(answer.body, maxPostAnswerBytes).catch(() => undefined);
        return outcome;
      },
    );
}

/**
 * Makes a client that reads from addresses that people typed in. Compression is not asked for, so that no answer unpacks to more than was sent.
 * @throws OutboundError `ADDRESS_NOT_ALLOWED`, `ANSWER_TOO_LARGE`; NoAnswer.
 */
export function createUntrustedRead(
  mode: Mode,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
) {
  return (
    address: string,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<ReadAnswer> => {
    const request = { headers: { ...headers, 'accept-encoding': 'identity' } };
    return callUntrusted(mode, address, request, { timeoutMs, signal }, async (answer) => {
      const location = answer.headers.location as string | undefined;
      const body = answer.statusCode === 200 ? await readWhole(answer.body, maxBytes) : Buffer.alloc(0);
      return { ...outcomeOf(answer), location, body };
    });
  };
}

async function callUntrusted<Answer>(
  mode: Mode,
  address: string,
  request: OutboundRequest,
  {
    timeoutMs,
    resolve,
    signal,
  }: { timeoutMs: number; resolve?: Resolve | undefined; signal?: AbortSignal | undefined },
  read: (answer: Dispatcher.ResponseData) => Promise<Answer>,
): Promise<Answer> {
  const url = new URL(address);
  if (!mayCallTyped(url, mode)) throw new OutboundError('ADDRESS_NOT_ALLOWED');
  const connect = mode === 'live' ? { lookup: lookupPublic(resolve) } : {};
  return sendRequest(url, request, { connect, timeoutMs, signal }, read);
}

function outcomeOf({ statusCode, headers }: Dispatcher.ResponseData): PostAnswer {
  return { status: statusCode, retryAfter: headers['retry-after'] as string | undefined };
}
