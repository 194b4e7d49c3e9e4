import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** More turns than it takes to accept all connections that the system queues for a port (511). */
const maxTurns = 2000;
const silentTimeoutMs = 1000;
/** The rest of the ten seconds that a stop may take is for the worker and the database. */
const timeoutMs = 7000;

/**
 * Finishes the requests in flight when the app closes, within the time limit.
 * - Connections that the system has accepted but nobody has read are let in first, or closing the port would cut them off.
 * - A connection that becomes idle while the app closes is closed at once, or its client would keep it open.
 * - Connections without a single byte, which browsers open in reserve, are closed after a second.
 * - Half-sent requests are cut off at the time limit.
 */
export function installGracefulClose(app: FastifyInstance): void {
  const timers: NodeJS.Timeout[] = [];
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    await acceptQueuedConnections(app.server);
    timers.push(
      setInterval(() => app.server.closeIdleConnections(), 25),
      setTimeout(() => closeSilent(sockets), silentTimeoutMs),
      setTimeout(() => app.server.closeAllConnections(), timeoutMs),
    );
  });
  app.server.on('close', () => {
    for (const timer of timers) clearTimeout(timer);
  });
}

/** Each turn of the event loop accepts some of the queue. After two turns without any, the queue is empty. */
async function acceptQueuedConnections(server: Server): Promise<void> {
  let turnsWithoutAny = 0;
  const note = () => {
    turnsWithoutAny = 0;
  };
  server.on('connection', note);
  for (let turn = 0; server.listening && turnsWithoutAny < 2 && turn < maxTurns; turn++) {
    turnsWithoutAny++;
    await nextTurn();
  }
  server.off('connection', note);
}

function closeSilent(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}
