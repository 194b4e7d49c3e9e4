import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import type pg from 'pg';

/**
 * What happens to the traffic: it passes; connections break, new ones too; or it vanishes silently, as on a cut line,
 * at once or after a certain word on each connection.
 */
type Fate = 'pass' | 'break' | 'vanish' | { vanishFrom: string };

export type TcpProxy = {
  /** The database's connection, by way of the proxy. */
  readonly connection: pg.ClientConfig;
  /** How many connections were tried since the fate was last set. */
  attempts(): number;
  setFate(fate: Fate): void;
  /** How long each answer of the database is kept back. */
  setDelay(ms: number): void;
  close(): Promise<void>;
};

/** A line to a PostgreSQL that a test can cut. */
export async function startTcpProxy(target: pg.ClientConfig): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let fate: Fate = 'pass';
  let delayMs = 0;
  let attempts = 0;
  const follow = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    attempts += 1;
    follow(near);
    if (fate === 'break') return void near.destroy();
    const far = connectTo(target);
    follow(far);
    let isCut = false;
    const passes = (said?: Buffer) => {
      if (typeof fate === 'object' && said?.includes(fate.vanishFrom)) isCut = true;
      return !isCut && fate !== 'vanish';
    };
    near.on('data', (chunk) => passes(chunk) && far.write(chunk)).on('close', () => far.destroy());
    far
      .on('close', () => near.destroy())
      .on('data', (chunk) => {
        if (passes()) void (delayMs > 0 ? setTimeout(() => near.write(chunk), delayMs) : near.write(chunk));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    connection: { ...target, host: '127.0.0.1', port },
    attempts: () => attempts,
    setFate(next) {
      fate = next;
      attempts = 0;
      if (fate === 'break') breakAll();
    },
    setDelay(ms) {
      delayMs = ms;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}

function connectTo({ host = '127.0.0.1', port = 5432 }: pg.ClientConfig): Socket {
  return host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host);
}
