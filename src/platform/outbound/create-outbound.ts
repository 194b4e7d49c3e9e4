import type { Settings } from '../settings/index.ts';
import { mayReach } from './may-reach.ts';
import { OutboundError } from './outbound-error.ts';

/** Makes one request to somebody else's server. */
export type Outbound = (address: string, request?: OutboundRequest) => Promise<Response>;
type OutboundRequest = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>;

type Limits = { timeoutMs: number; mostBytes: number };

const usualLimits: Limits = { timeoutMs: 5000, mostBytes: 1024 * 1024 };

/**
 * Calls servers that the settings name: `named` are the addresses that this caller is for. A redirect is an
 * answer nobody asked for: following it would carry what was sent (a client's secret, say) to a host of another's
 * choice. The answer is read here, whole, so that neither a slow nor an endless one keeps the site waiting.
 */
export function createOutbound(
  settings: Pick<Settings, 'mode'>,
  named: readonly URL[],
  { timeoutMs, mostBytes }: Limits = usualLimits,
): Outbound {
  return async (address, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(address);
    if (!mayReach(url, settings.mode, named)) throw new OutboundError('ADDRESS_NOT_ALLOWED');
    const timeLimit = AbortSignal.timeout(timeoutMs);
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
    const bytes = await readAtMost(answer, mostBytes);
    return new Response(bytes, { status: answer.status, headers: answer.headers });
  };
}

async function readAtMost(answer: Response, mostBytes: number): Promise<Buffer<ArrayBuffer> | null> {
  if (answer.body === null) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer.body) {
    length += part.length;
    // Leaving the loop ends the connection.
    if (length > mostBytes) throw new OutboundError('ANSWER_TOO_LARGE');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
