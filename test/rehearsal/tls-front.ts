import { once } from 'node:events';
import { request as toSite } from 'node:http';
import { createServer } from 'node:https';
import { testCertificate } from '../network/mail-server.ts';

/**
 * The proxy before a live site. It takes https, and passes on by http who asked and how. It ignores what clients claim
 * about themselves.
 */
export async function startTlsFront(sitePort: number) {
  const server = createServer(testCertificate, (request, response) => {
    const { method, url, headers } = request;
    const passed = { ...headers, 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' };
    const onward = toSite({ port: sitePort, host: '127.0.0.1', method, path: url, headers: passed });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `https://localhost:${port}`,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
