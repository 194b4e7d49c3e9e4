import { createHmac } from 'node:crypto';
import { release, type as systemName } from 'node:os';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '../../../platform/clock/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type {
  MutualTls,
  MutualTlsAnswer,
  MutualTlsClient,
  MutualTlsRequest,
} from '../../../platform/outbound/index.ts';
import { ExchangeRefusal, SeveralMessages } from './failures.ts';
import { type IncomingMessage, maxMessageBytes, reachesLimit, unpackIncoming } from './incoming.ts';

/** A mailbox at the message exchange, with everything needed to open it. */
export type Mailbox = {
  url: string;
  id: string;
  password: string;
  sharedKey: string;
  tls: MutualTls | undefined;
};

type Options = { mailbox: Mailbox; call: MutualTlsClient; clock: Clock; maxRequestBytes: number };

/** What the exchange knows about a message that was sent. */
export type TrackedMessage = {
  id: string;
  status: string;
  code: string | undefined;
  /** The mailbox that it went to. The exchange chooses it for a letter that is sent by NHS number. */
  recipient: string | undefined;
};

type MessageIds = { id: string; externalId: string | null };

/** A client of the message exchange by its specification (mesh-api.yaml), with version 2 of its answers. */
export type Exchange = ReturnType<typeof createExchange>;

export function createExchange({ maxRequestBytes, ...options }: Options) {
  const { mailbox } = options;
  const { callExchange, callForJson } = createCalls(options);
  const mailboxUrl = `${mailbox.url}/messageexchange/${mailbox.id}`;

  return {
    /** Tells the exchange that the mailbox is in use. @throws when the mailbox cannot be opened. */
    async handshake(): Promise<void> {
      await callExchange(mailboxUrl, { method: 'POST' }, 200);
    },

    /** @returns the exchange's own id of the message. */
    async send(headers: Readonly<Record<string, string>>, body: Buffer): Promise<string> {
      const chunks = await packBody(body, maxRequestBytes);
      const [first, ...others] = chunkRequests(chunks, { ...headers, 'mex-from': mailbox.id });
      const outbox = `${mailboxUrl}/outbox`;
      const { message_id: id } = await callForJson<{ message_id: string }>(outbox, first!, 202);
      for (const [index, request] of others.entries())
        await callExchange(`${outbox}/${encodeURIComponent(id)}/${index + 2}`, request, 202);
      return id;
    },

    /**
     * Finds a message by the exchange's id, or by our id when no answer gave the exchange's.
     * @throws SeveralMessages if one was interrupted and then sent again, so that two have our id.
     */
    async track({ id: localId, externalId }: MessageIds): Promise<TrackedMessage | undefined> {
      const tracking = `${mailboxUrl}/outbox/tracking`;
      const address =
        externalId === null
          ? `${tracking}/${encodeURIComponent(localId)}`
          : `${tracking}?messageID=${encodeURIComponent(externalId)}`;
      const answer = await callForJson<TrackingAnswer>(address).catch((error) => {
        if (!(error instanceof ExchangeRefusal)) throw error;
        if (error.status === 300) throw new SeveralMessages();
        if (error.status !== 404) throw error;
      });
      return answer ? trackedMessageIn(answer) : undefined;
    },

    /** A page of the ids of the messages that wait in the inbox. */
    async list(continueFrom?: string): Promise<InboxPage> {
      const query =
        continueFrom === undefined ? '' : `?${new URLSearchParams({ continue_from: continueFrom })}`;
      return readPage(await callForJson<unknown>(`${mailboxUrl}/inbox${query}`));
    },

    /** Downloads a message, up to the limit of incoming.ts. */
    async collect(id: string): Promise<IncomingMessage> {
      const address = `${mailboxUrl}/inbox/${encodeURIComponent(id)}`;
      const part = { headBytes: maxMessageBytes };
      const chunks = [await callExchange(address, part, 200, 206)];
      while (chunks.at(-1)!.status === 206 && !reachesLimit(chunks))
        chunks.push(await callExchange(`${address}/${chunks.length + 1}`, part, 200, 206));
      return unpackIncoming(id, chunks);
    },

    /** Tells the exchange that this site has stored a message, which the exchange then deletes from the inbox. */
    async acknowledge(id: string): Promise<void> {
      const address = `${mailboxUrl}/inbox/${encodeURIComponent(id)}/status/acknowledged`;
      // A message that is gone was acknowledged before, but the answer never came.
      await callExchange(address, { method: 'PUT' }, 200, 404, 410);
    },

    /** The mailboxes in which an organisation receives this kind of message. */
    async findMailboxes(odsCode: string, workflow: string): Promise<string[]> {
      const where = [odsCode, workflow].map(encodeURIComponent).join('/');
      const address = `${mailbox.url}/messageexchange/endpointlookup/${where}`;
      const { results } = await callForJson<{ results: { mailbox_id: string }[] }>(address);
      return results.map((each) => each.mailbox_id);
    },
  };
}

/** Calls of the exchange, each with a token of its own. */
function createCalls({ mailbox, call, clock }: Omit<Options, 'maxRequestBytes'>) {
  /** @throws ExchangeRefusal for an unexpected status. */
  async function callExchange(
    address: string,
    request: MutualTlsRequest,
    ...expected: number[]
  ): Promise<MutualTlsAnswer> {
    const token = authorization(mailbox, { nonce: newId(), count: 0, at: clock.now() });
    const headers = { ...fixedHeaders, ...request.headers, authorization: token };
    const answer = await call(address, { ...request, headers });
    if (expected.includes(answer.status)) return answer;
    throw new ExchangeRefusal(answer.status, codeIn(answer));
  }

  return {
    callExchange,
    async callForJson<T>(address: string, request: MutualTlsRequest = {}, expected = 200): Promise<T> {
      return JSON.parse((await callExchange(address, request, expected)).body.toString('utf8')) as T;
    },
  };
}

/** The requests that send a message, one for each chunk. Only the first has the headers of the message. */
function chunkRequests(
  chunks: readonly Buffer[],
  headers: Readonly<Record<string, string>>,
): MutualTlsRequest[] {
  return chunks.map((body, index) => ({
    method: 'POST',
    body,
    headers: {
      'content-encoding': 'gzip',
      ...(index === 0 && headers),
      ...(chunks.length > 1 && { 'mex-chunk-range': `${index + 1}:${chunks.length}` }),
    },
  }));
}

/** The names of its fields are written in one of two ways, `message_id` or `messageId`. */
type TrackingAnswer = Record<string, string | null>;

function trackedMessageIn(answer: TrackingAnswer): TrackedMessage | undefined {
  const id = answer.message_id ?? answer.messageId;
  if (!id) return undefined;
  const code = answer.status_code ?? answer.statusCode ?? undefined;
  const recipient = answer.recipient ?? undefined;
  return { id, status: (answer.status ?? '').toLowerCase(), code, recipient };
}

const fixedHeaders = {
  accept: 'application/vnd.mesh.v2+json',
  'mex-clientversion': 'Onward',
  'mex-osname': systemName(),
  'mex-osversion': release(),
};

function codeIn({ body }: MutualTlsAnswer): string | undefined {
  try {
    const { detail, errorCode } = JSON.parse(body.toString('utf8'));
    // An invalid request gets a `type` instead.
    return detail?.[0]?.code ?? errorCode ?? detail?.[0]?.type;
  } catch {
    return undefined;
  }
}

/** `next`: where the next page begins; undefined when there is none. */
export type InboxPage = { ids: string[]; next: string | undefined };

/** The exchange's ids are much shorter, and it lists fewer at once. */
const maxIdLength = 200;
const maxIds = 5000;

/** Reads a page of an inbox. It may come from another server, so nothing in it is trusted. */
export function readPage(given: unknown): InboxPage {
  const { messages, links } = (given ?? {}) as { messages?: unknown; links?: { next?: unknown } };
  const ids = (Array.isArray(messages) ? messages : [])
    .filter((id) => typeof id === 'string' && id.length > 0 && id.length <= maxIdLength)
    .slice(0, maxIds);
  return { ids: [...new Set(ids)], next: continuationIn(links?.next) };
}

/** Uses only the token in the link, so that the link cannot lead to another mailbox or machine. */
function continuationIn(link: unknown): string | undefined {
  if (typeof link !== 'string') return undefined;
  const continuation = URL.parse(link, 'https://exchange.invalid')?.searchParams.get('continue_from');
  return continuation && continuation.length <= maxIdLength ? continuation : undefined;
}

const compress = promisify(gzip);

/**
 * Packs a body, and doubles the number of chunks until each fits into a request. Each is packed by itself, so that the
 * receiver can unpack them one by one. The same body gives the same bytes.
 */
async function packBody(body: Buffer, maxRequestBytes: number): Promise<Buffer[]> {
  for (let count = 1; ; count *= 2) {
    const size = Math.ceil(body.length / count);
    const starts = Array.from({ length: count }, (_, index) => index * size);
    const chunks = await Promise.all(starts.map((start) => compress(body.subarray(start, start + size))));
    if (chunks.every(({ length }) => length <= maxRequestBytes) || size <= 1) return chunks;
  }
}

/** Each token works once: a new nonce or count makes a new one. */
export function authorization(
  { id, password, sharedKey }: Pick<Mailbox, 'id' | 'password' | 'sharedKey'>,
  { nonce, count, at }: { nonce: string; count: number; at: Date },
): string {
  const timestamp = at.toISOString().replaceAll(/\D/g, '').slice(0, 'yyyyMMddHHmm'.length);
  const signed = [id, nonce, count, password, timestamp].join(':');
  const hash = createHmac('sha256', sharedKey).update(signed).digest('hex');
  return `NHSMESH ${[id, nonce, count, timestamp, hash].join(':')}`;
}
