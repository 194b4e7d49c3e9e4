import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type Answer, refused, versionOf } from './answers.ts';
import { createTokenCheck } from './check-token.ts';
import { answerControl } from './control.ts';
import { createExchange, type Exchange, type ExchangeOptions, type Headers } from './exchange.ts';
import { Refused } from './faults.ts';
import { type FakeRequest, handleRequest, operationOf } from './handle-request.ts';
import { createMisbehaviours, type Misbehaviour } from './misbehaviour.ts';

export type FakeMesh = {
  readonly url: string;
  readonly exchange: Exchange;
  /** The requests that came, as `send 202`, in order. */
  readonly seen: string[];
  misbehave(...these: Misbehaviour[]): void;
  close(): Promise<void>;
};

export type FakeMeshOptions = Pick<ExchangeOptions, 'mailboxes'> &
  Partial<ExchangeOptions> & { sharedKey: string; port?: number; tls?: ServerOptions };

/**
 * A message exchange on loopback, strict where the specification says what must be: it takes a token once, refuses headers,
 * chunks and workflows that are not as they should be, finds practices by their patients, and reports what is not delivered.
 */
export async function startFakeMesh(options: FakeMeshOptions): Promise<FakeMesh> {
  const { sharedKey, port = 0, tls, ...given } = options;
  const now = given.now ?? (() => new Date());
  const exchange = createExchange({ registrations: [], largestRequest: 100_000_000, ...given, now });
  const checkToken = createTokenCheck(sharedKey, now);
  const misbehaviours = createMisbehaviours();
  const seen: string[] = [];

  function answer(request: FakeRequest): Answer {
    const control = answerControl({ exchange, misbehaviours }, request);
    if (control) return control;
    try {
      return handleRequest(exchange, checkToken, request);
    } catch (error) {
      if (error instanceof Refused) return refused(error, versionOf(request.headers));
      throw error;
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    const operation = operationOf(request);
    const instead = misbehaviours.take(operation);
    if (instead === 'cut-before') return void response.destroy();
    const given = typeof instead === 'number' ? asStatus(instead, request) : answer(request);
    if (operation) seen.push(`${operation} ${given.status}`);
    if (instead === 'slow') return;
    if (instead === 'cut-off') return void response.destroy();
    write(response, given);
  }

  const listener = (incoming: IncomingMessage, response: ServerResponse) =>
    void serve(incoming, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const { port: taken } = server.address() as { port: number };
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${taken}`,
    exchange,
    seen,
    misbehave: (...these) => these.forEach(misbehaviours.add),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  ) as Headers;
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  return { method: incoming.method ?? 'GET', url, headers, body: await buffer(incoming) };
}

function asStatus(status: number, request: FakeRequest): Answer {
  const refusal =
    status === 417 ? new Refused(417, 'Refused for a test', '16') : new Refused(status, 'Refused for a test');
  return refused(refusal, versionOf(request.headers));
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body === undefined) return void response.writeHead(status, headers).end();
  if (Buffer.isBuffer(body))
    return void response.writeHead(status, { ...headers, 'content-length': String(body.length) }).end(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
