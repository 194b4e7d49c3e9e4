import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A system that takes every connection, and then says nothing. */
export async function aHangingSystem() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
    /** How many connections there were. */
    calls: () => sockets.length,
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
