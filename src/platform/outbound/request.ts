import type { Client, Dispatcher } from 'undici';
import { secondMs } from '../durations.ts';

/** Why a request was not made, or its answer not used. It names no address, since addresses may hold secrets. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** No answer came, or only a part. Unless a connection was made (`wasConnected`), the other side cannot have acted on the request. */
export class NoAnswer extends OutboundError {
  override name = 'NoAnswer';
  readonly wasConnected: boolean;
  constructor(code: string, wasConnected: boolean) {
    super(code);
    this.wasConnected = wasConnected;
  }
}

export type OutboundRequest = {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: Buffer | string | undefined;
};

type RequestOptions = {
  /** What the connection is made with: certificates, or how names are looked up. */
  connect?: Client.Options['connect'];
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

/**
 * Makes one request on a new connection, and lets `read` take what it wants from the answer. We do not keep
 * connections alive: the name may resolve to another address by then. A redirect is an answer like any other.
 * @throws NoAnswer with a code such as ECONNREFUSED or ENOTFOUND; ABORT_ERR when the time is over; OutboundError of `read`.
 */
export async function sendRequest<Answer>(
  url: URL,
  { method = 'GET', headers = {}, body }: OutboundRequest,
  { connect, timeoutMs, signal }: RequestOptions,
  read: (answer: Dispatcher.ResponseData) => Promise<Answer>,
): Promise<Answer> {
  // Loaded here, because a start would be 0.2 s longer with it.
  const { Client } = await import('undici');
  const timeLimit = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeLimit]) : timeLimit;
  const client = new Client(url.origin, {
    // The limit above is for the whole request, so the parts have none. This one closes a connection that is not made by then.
    connect: { timeout: timeoutMs + secondMs, ...(connect as object) },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // undici ignores a request's signal until it is connected, and a system may take a connection and never begin with TLS.
  ended.addEventListener('abort', () => void client.destroy(), { once: true });
  let wasConnected = false;
  client.on('connect', () => {
    wasConnected = true;
  });
  try {
    ended.throwIfAborted();
    const answer = await client.request({
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      signal: ended,
    });
    // We do not wait for the rest of a body, so it may break off.
    answer.body.on('error', () => undefined);
    return await read(answer);
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new NoAnswer(timeLimit.aborted || signal?.aborted ? 'ABORT_ERR' : errorCodeOf(error), wasConnected);
  } finally {
    await client.destroy();
  }
}

/** The code of what `undici` threw; `fetch` puts that into the `cause` of its own error. */
export function errorCodeOf(error: unknown): string {
  const { code, cause } = error as NodeJS.ErrnoException;
  // The other side ended the connection without an answer.
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET';
  if (typeof code === 'string') return code;
  return cause instanceof Error ? errorCodeOf(cause) : 'UNKNOWN';
}

/** The whole body of an answer. @throws OutboundError `ANSWER_TOO_LARGE` */
export async function readWhole(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const whole = await readFirstBytes(body, maxBytes + 1);
  if (whole.length > maxBytes) throw new OutboundError('ANSWER_TOO_LARGE');
  return whole;
}

/** The first bytes of an answer's body; all of it if it is shorter. */
export async function readFirstBytes(body: AsyncIterable<Buffer>, bytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(parts).subarray(0, bytes);
}
