import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export type Received = { headers: IncomingHttpHeaders; body: string; event: any };

/** A client system that is told of events: a real server on loopback, which answers as the test says. */
export async function webhookReceiver() {
  const received: Received[] = [];
  const works = (response: ServerResponse, _event: any) => void response.writeHead(204).end();
  const receiver = { received, works, answer: works, url: '', close };
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const event = JSON.parse(body);
    received.push({ headers: request.headers, body, event });
    receiver.answer(response, event);
  });
  function close(): void {
    server.closeAllConnections();
    server.close();
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/told`;
  return receiver;
}
