import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestApp } from '../app/make-app.ts';

/**
 * Sends the beginning of a request, and waits until the site has begun with it. The site has to listen.
 * @returns how its sender goes away in the middle of it.
 */
export async function beginRequest({ app }: TestApp, beginning: string): Promise<() => Promise<void>> {
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  const [[request]] = await Promise.all([
    once(app.server, 'request'),
    new Promise((sent) => socket.write(beginning, sent)),
  ]);
  return async () => {
    const closed = new Promise((done) => request.on('close', done));
    socket.destroy();
    await closed;
  };
}
