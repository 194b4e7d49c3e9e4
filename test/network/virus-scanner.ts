import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A virus scanner that is asked over HTTP. It takes the word EICAR for a virus; while it `isAway`, it answers with a fault of its own. */
export async function virusScanner() {
  const state = { isAway: false };
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const verdict = body.includes('EICAR') ? 406 : 200;
      answer.writeHead(state.isAway ? 500 : verdict).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(state, { url: `http://127.0.0.1:${port}/scan`, close });
}
