import type { Settings } from '../settings/index.ts';
import { mayCallFromSettings } from './addresses.ts';
import { OutboundError, type OutboundRequest, readFirstBytes, readWhole, sendRequest } from './request.ts';

/** What both sides show to prove who they are, as PEM. */
export type MutualTls = { cert?: Buffer | string; key?: Buffer | string; ca?: Buffer | string };

export type MutualTlsAnswer = {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The length of the body as announced or received; more than `body` has if only its head was read. */
  readonly length: number;
};
export type MutualTlsRequest = OutboundRequest & {
  /** Reads only the first bytes of a longer answer. */
  headBytes?: number;
};
export type MutualTlsClient = (address: string, request?: MutualTlsRequest) => Promise<MutualTlsAnswer>;

/**
 * Makes a client of a server that the settings name and that asks for a certificate. A test site calls only its own machine.
 * @throws OutboundError `ADDRESS_NOT_ALLOWED`, `ANSWER_TOO_LARGE`; NoAnswer.
 */
export function createMutualTlsClient(
  mode: Settings['mode'],
  { tls, timeoutMs, maxBytes }: { tls?: MutualTls | undefined; timeoutMs: number; maxBytes: number },
): MutualTlsClient {
  return async (address, { headBytes, ...request } = {}) => {
    const url = new URL(address);
    if (!mayCallFromSettings(url, mode, [])) throw new OutboundError('ADDRESS_NOT_ALLOWED');
    return sendRequest(url, request, { connect: { ...tls }, timeoutMs }, async (answer) => {
      const body = await (headBytes === undefined
        ? readWhole(answer.body, maxBytes)
        : readFirstBytes(answer.body, headBytes));
      const length = Math.max(body.length, Number(answer.headers['content-length'] ?? 0) || 0);
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
      );
      return { status: answer.statusCode, headers, body, length };
    });
  };
}
