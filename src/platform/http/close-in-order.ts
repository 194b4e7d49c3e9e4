import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** More than it takes to let in all that the system keeps waiting at a port (511). */
const mostTurns = 2000;
const silentPatienceMs = 1000;
/** What is left of the ten seconds that a stop may take is for the worker and the database. */
const patienceMs = 7000;

/**
 * A stop finishes what is in flight, and takes no longer. Who had connected is let in before the port is closed: the
 * system takes connections itself, and would cut those off that nobody has looked at yet. A connection that falls idle
 * while the app closes would be kept open by its client: it is closed at once. Those on which nothing came, which
 * browsers open in reserve, are closed after a moment, those with half of a request later: anybody can open those.
 */
export function closeInOrder(app: FastifyInstance): void {
  const timers: NodeJS.Timeout[] = [];
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    await letInWhoConnected(app.server);
    timers.push(
      setInterval(() => app.server.closeIdleConnections(), 25),
      setTimeout(() => closeSilent(sockets), silentPatienceMs),
      setTimeout(() => app.server.closeAllConnections(), patienceMs),
    );
  });
  app.server.on('close', () => {
    for (const timer of timers) clearTimeout(timer);
  });
}

/** Each turn of the event loop lets in those who wait, or some of them: when nobody came for two, nobody is left. */
async function letInWhoConnected(server: Server): Promise<void> {
  let quietTurns = 0;
  const note = () => {
    quietTurns = 0;
  };
  server.on('connection', note);
  for (let turn = 0; server.listening && quietTurns < 2 && turn < mostTurns; turn++) {
    quietTurns++;
    await nextTurn();
  }
  server.off('connection', note);
}

function closeSilent(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}
