import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Settings } from '../settings/index.ts';
import { mayReach } from './may-reach.ts';
import { OutboundError } from './outbound-error.ts';
import { readAtMost } from './read-at-most.ts';

/** With what both sides show who they are. */
export type MutualTls = Pick<RequestOptions, 'cert' | 'key' | 'ca'>;

export type PartnerAnswer = {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};
export type PartnerRequest = { method?: string; headers?: Record<string, string>; body?: Buffer };
export type PartnerCall = (address: string, request?: PartnerRequest) => Promise<PartnerAnswer>;

/** No answer came, or not the whole of it. Unless it was never `sent`, the other side may have done what was asked. */
export class NoAnswer extends OutboundError {
  override name = 'NoAnswer';
  readonly sent: boolean;
  constructor(code: string, sent: boolean) {
    super(code);
    this.sent = sent;
  }
}

/**
 * Calls a server that the settings name and that asks for a certificate, and tells a request that never left from one
 * without an answer, as `fetch` does not. A test site calls its own machine alone. Redirects are answers like any other.
 */
export function createPartnerCall(
  mode: Settings['mode'],
  { tls, timeoutMs, mostBytes }: { tls?: MutualTls | undefined; timeoutMs: number; mostBytes: number },
): PartnerCall {
  return async (address, request = {}) => {
    const url = new URL(address);
    if (!mayReach(url, mode, [])) throw new OutboundError('ADDRESS_NOT_ALLOWED');
    const course = { sent: false };
    try {
      const answer = await ask(url, request, { ...tls, signal: AbortSignal.timeout(timeoutMs) }, course);
      const body = await readAtMost(answer, mostBytes);
      return { status: answer.statusCode ?? 0, headers: joined(answer), body };
    } catch (error) {
      throw new NoAnswer((error as NodeJS.ErrnoException).code ?? 'UNKNOWN', course.sent);
    }
  };
}

function ask(
  url: URL,
  { method = 'GET', headers, body }: PartnerRequest,
  options: MutualTls & { signal: AbortSignal },
  course: { sent: boolean },
): Promise<IncomingMessage> {
  const make = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body && { 'content-length': body.length };
  return new Promise((answered, failed) => {
    const call = make(url, { method, headers: { ...headers, ...length }, agent: false, ...options });
    call.on('socket', (socket) => {
      // Nothing of a request is written before this.
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        course.sent = true;
      });
    });
    call.on('response', answered).on('error', failed).end(body);
  });
}

function joined({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
