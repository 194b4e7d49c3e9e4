import type { Settings } from '../settings/index.ts';
import { mayCallFromSettings } from './addresses.ts';
import { errorCodeOf, NoAnswer, OutboundError, readWhole } from './request.ts';

/** Makes one request, as `fetch` does. */
export type TrustedFetch = (address: string, request?: FetchRequest) => Promise<Response>;
type FetchRequest = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>;

type Limits = { timeoutMs: number; maxBytes: number };

const defaultLimits: Limits = { timeoutMs: 5000, maxBytes: 1024 * 1024 };

/**
 * Makes a client of servers that the settings name. Redirects are refused: following one would carry what was sent, a client's secret for
 * example, to a host that somebody else chose. The answer is read whole here, so that neither a slow nor an
 * endless one keeps the site waiting.
 * @throws OutboundError `ADDRESS_NOT_ALLOWED`, `REDIRECTED`, `ANSWER_TOO_LARGE`; NoAnswer.
 */
export function createTrustedFetch(
  settings: Pick<Settings, 'mode'>,
  allowedHosts: readonly URL[],
  { timeoutMs, maxBytes }: Limits = defaultLimits,
): TrustedFetch {
  return async (address, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(address);
    if (!mayCallFromSettings(url, settings.mode, allowedHosts))
      throw new OutboundError('ADDRESS_NOT_ALLOWED');
    const timeLimit = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(url, {
        method,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit,
        ...(headers && { headers }),
        ...(body && { body }),
      });
      if (answer.status >= 300 && answer.status < 400) {
        await answer.body?.cancel();
        throw new OutboundError('REDIRECTED');
      }
      const bytes = answer.body && new Uint8Array(await readWhole(answer.body, maxBytes));
      return new Response(bytes, { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      // `fetch` does not say whether a connection was made, so the other side may have acted on the request.
      throw new NoAnswer(timeLimit.aborted || signal?.aborted ? 'ABORT_ERR' : errorCodeOf(error), true);
    }
  };
}
