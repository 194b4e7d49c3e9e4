import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isLoopback } from '../addresses/index.ts';
import type { Settings } from '../settings/index.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress, lookupPublic, type Resolve } from './public-address.ts';

type Mode = Settings['mode'];

/** All that is taken of an answer. */
export type StrangerAnswer = { readonly status: number; readonly retryAfter: string | undefined };
/** What a call without an answer throws. After the whole body was sent, nobody can tell whether it was taken. */
export type BrokenCall = Error & { code?: string; bodySent?: boolean };
/** An answer that is longer is not read to its end. */
const longestAnswer = 64 * 1024;
type Message = { headers: Record<string, string>; body: string };

/**
 * Whether a site of this mode calls an address that somebody gave it. A test site: this machine alone, so that whoever
 * builds a client can try it out. A live site: https alone, and never this machine or an address of no public network;
 * a name's addresses are checked when they are connected to.
 */
export function mayCallStranger(url: URL, mode: Mode): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (mode === 'test') return isLoopback(url) && /^https?:$/.test(url.protocol);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return url.protocol === 'https:' && !isLoopback(url) && (isIP(host) === 0 || isPublicAddress(host));
}

/**
 * Posts to an address that somebody gave the site. A redirect is an answer like any other and followed nowhere; of the
 * answer nothing is kept but its status. `resolve` is for tests.
 */
export function createStrangerCall(mode: Mode, limits: { timeoutMs?: number; resolve?: Resolve } = {}) {
  const { timeoutMs = 10_000, resolve } = limits;
  return (address: string, { headers, body }: Message): Promise<StrangerAnswer> => {
    const url = new URL(address);
    if (!mayCallStranger(url, mode)) return Promise.reject(new OutboundError('ADDRESS_NOT_ALLOWED'));
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // No connection is kept: one that was would lead to where its host's name led before.
      agent: false,
      ...(mode === 'live' && { lookup: lookupPublic(resolve) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answerOf(call, body);
  };
}

function answerOf(call: ClientRequest, body: string): Promise<StrangerAnswer> {
  return new Promise((answered, failed) => {
    call.on('error', (error: BrokenCall) => {
      error.bodySent = call.writableFinished;
      failed(error);
    });
    call.on('response', (answer: IncomingMessage) => {
      answered({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] });
      // What it says is nobody's business here. A receiver may end its sentence, but not keep the site busy with more.
      let length = 0;
      answer
        .on('error', () => undefined)
        .on('data', (part: Buffer) => {
          length += part.length;
          if (length > longestAnswer) answer.destroy();
        });
    });
    call.end(body);
  });
}
