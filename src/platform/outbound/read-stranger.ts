import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { Settings } from '../settings/index.ts';
import { OutboundError } from './outbound-error.ts';
import { lookupPublic } from './public-address.ts';
import { readAtMost } from './read-at-most.ts';
import { mayCallStranger } from './stranger-call.ts';

/** What is taken of an answer: `body` is empty where it is no success. */
export type StrangerReading = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Where a redirect leads, as it says. */
  readonly location: string | undefined;
  readonly body: Buffer;
};

/**
 * Reads from an address that somebody gave the site, as far as a site of this mode may call it. A redirect is an answer
 * like any other and followed nowhere. Nothing packed is asked for, so that nothing unpacks to more than was sent.
 */
export function createStrangerReading(
  mode: Settings['mode'],
  limits: { timeoutMs: number; mostBytes: number },
) {
  return async (address: string, headers: Record<string, string> = {}): Promise<StrangerReading> => {
    const url = new URL(address);
    if (!mayCallStranger(url, mode)) throw new OutboundError('ADDRESS_NOT_ALLOWED');
    const signal = AbortSignal.timeout(limits.timeoutMs);
    try {
      const answer = await ask(url, headers, mode, signal);
      const { statusCode: status = 0 } = answer;
      const { 'retry-after': retryAfter, location } = answer.headers;
      const said = { status, retryAfter, location };
      if (status === 200) return { ...said, body: await readAtMost(answer, limits.mostBytes) };
      answer.destroy();
      return { ...said, body: Buffer.alloc(0) };
    } catch (error) {
      // An answer that stops in the middle only says that it was cut off.
      throw signal.aborted ? signal.reason : error;
    }
  };
}

function ask(
  url: URL,
  headers: Record<string, string>,
  mode: Settings['mode'],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  const options = {
    headers: { ...headers, 'accept-encoding': 'identity' },
    // No connection is kept: one that was would lead to where its host's name led before.
    agent: false,
    ...(mode === 'live' && { lookup: lookupPublic() }),
    signal,
  };
  return new Promise((answered, failed) => {
    get(url, options, answered).on('error', failed);
  });
}
