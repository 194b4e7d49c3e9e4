import { release, type as systemName } from 'node:os';
import type { Clock } from '../../../platform/clock/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { PartnerAnswer, PartnerCall, PartnerRequest } from '../../../platform/outbound/index.ts';
import { authorization } from './authorization.ts';
import { ExchangeRefusal } from './exchange-refusal.ts';
import { type Incoming, isEnough, unpackIncoming } from './incoming.ts';
import type { Mailbox } from './mailbox.ts';
import { packBody } from './pack-body.ts';

type Options = { mailbox: Mailbox; call: PartnerCall; clock: Clock; largestRequest: number };

/** What the exchange knows of a message that was sent. */
export type Tracked = { id: string; status: string; code: string | undefined };

/** The message exchange, as its specification has it (mesh-api.yaml), with version 2 of its answers. */
export type Exchange = ReturnType<typeof createExchange>;

export function createExchange({ mailbox, call, clock, largestRequest }: Options) {
  const mine = `${mailbox.url}/messageexchange/${mailbox.id}`;

  /** @throws ExchangeRefusal for any answer but those that are waited for. */
  async function ask(
    address: string,
    request: PartnerRequest,
    ...expected: number[]
  ): Promise<PartnerAnswer> {
    const token = authorization(mailbox, { nonce: newId(), count: 0, at: clock.now() });
    const headers = { ...fixedHeaders, ...request.headers, authorization: token };
    const answer = await call(address, { ...request, headers });
    if (expected.includes(answer.status)) return answer;
    throw new ExchangeRefusal(answer.status, codeIn(answer));
  }

  async function json<T>(address: string, request: PartnerRequest = {}, expected = 200): Promise<T> {
    return JSON.parse((await ask(address, request, expected)).body.toString('utf8')) as T;
  }

  return {
    /** Says that the mailbox is in use, and finds out whether it can be opened. */
    async handshake(): Promise<void> {
      await ask(mine, { method: 'POST' }, 200);
    },

    /** @returns the exchange's own id of the message. */
    async send(headers: Readonly<Record<string, string>>, body: Buffer): Promise<string> {
      const [first, ...others] = await packBody(body, largestRequest);
      const total = others.length + 1;
      const part = (number: number, chunk: Buffer): PartnerRequest => ({
        method: 'POST',
        body: chunk,
        headers: {
          'content-encoding': 'gzip',
          ...(number === 1 && { ...headers, 'mex-from': mailbox.id }),
          ...(total > 1 && { 'mex-chunk-range': `${number}:${total}` }),
        },
      });
      const outbox = `${mine}/outbox`;
      const { message_id: id } = await json<{ message_id: string }>(outbox, part(1, first!), 202);
      for (const [index, chunk] of others.entries())
        await ask(`${outbox}/${encodeURIComponent(id)}/${index + 2}`, part(index + 2, chunk), 202);
      return id;
    },

    /** By the id that this site gave the message: all there is to ask by where no answer came. */
    async track(localId: string): Promise<Tracked | undefined> {
      const address = `${mine}/outbox/tracking/${encodeURIComponent(localId)}`;
      const found = await json<Record<string, string | null>>(address).catch((error) => {
        // Not known. Or known several times: one that was cut off in the middle, and is never delivered, among them.
        if (error instanceof ExchangeRefusal && (error.status === 404 || error.status === 300)) return;
        throw error;
      });
      const id = found?.message_id ?? found?.messageId;
      if (!found || !id) return undefined;
      const code = found.status_code ?? found.statusCode ?? undefined;
      return { id, status: (found.status ?? '').toLowerCase(), code };
    },

    /** The ids of what waits in the inbox: a page of it, and more when that has been acknowledged. */
    async list(): Promise<string[]> {
      return (await json<{ messages: string[] }>(`${mine}/inbox`)).messages;
    },

    async open(id: string): Promise<Incoming> {
      const address = `${mine}/inbox/${encodeURIComponent(id)}`;
      const chunks = [await ask(address, {}, 200, 206)];
      while (chunks.at(-1)!.status === 206 && !isEnough(chunks))
        chunks.push(await ask(`${address}/${chunks.length + 1}`, {}, 200, 206));
      return unpackIncoming(id, chunks);
    },

    async acknowledge(id: string): Promise<void> {
      const address = `${mine}/inbox/${encodeURIComponent(id)}/status/acknowledged`;
      // What is gone was acknowledged before, by an answer that never came.
      await ask(address, { method: 'PUT' }, 200, 404, 410);
    },

    /** The mailboxes in which an organisation takes this kind of message. */
    async findMailboxes(odsCode: string, workflow: string): Promise<string[]> {
      const where = [odsCode, workflow].map(encodeURIComponent).join('/');
      const address = `${mailbox.url}/messageexchange/endpointlookup/${where}`;
      const { results } = await json<{ results: { mailbox_id: string }[] }>(address);
      return results.map((each) => each.mailbox_id);
    },
  };
}

const fixedHeaders = {
  accept: 'application/vnd.mesh.v2+json',
  'mex-clientversion': 'Onward',
  'mex-osname': systemName(),
  'mex-osversion': release(),
};

function codeIn({ body }: PartnerAnswer): string | undefined {
  try {
    const { detail, errorCode } = JSON.parse(body.toString('utf8'));
    return detail?.[0]?.code ?? errorCode;
  } catch {
    return undefined;
  }
}
