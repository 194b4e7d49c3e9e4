import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';

export type Received = { headers: IncomingHttpHeaders; body: string; event: any };

/** A client system with a webhook: a real server on loopback, which answers as the test says. */
export async function webhookReceiver({
  tls,
  host = '127.0.0.1',
}: {
  tls?: ServerOptions;
  host?: string;
} = {}) {
  const received: Received[] = [];
  const works = (response: ServerResponse, _event: any) => void response.writeHead(204).end();
  const receiver = { received, works, answer: works, url: '', close };
  const listener: RequestListener = async (request, response) => {
    const body = (await request.toArray()).join('');
    const event = JSON.parse(body);
    received.push({ headers: request.headers, body, event });
    receiver.answer(response, event);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  function close(): void {
    server.closeAllConnections();
    server.close();
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  receiver.url = `${tls ? 'https' : 'http'}://${host}:${(server.address() as { port: number }).port}/told`;
  return receiver;
}
