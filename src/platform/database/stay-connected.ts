import { Socket } from 'node:net';
import pg from 'pg';

/** What a connection is for that is kept all the time. */
export type LastingUse = {
  name: string;
  beatEveryMs: number;
  /** Prepares each new connection. Where it fails, another connection is tried. */
  begin(client: pg.Client): Promise<void>;
  /** Called on each answer to a beat, with the monotonic time at which it was sent. */
  answered?(askedAtMs: number): void;
  /** Called when the connection is gone, and for each attempt that failed. */
  lost(error: unknown): void;
};

const firstPauseMs = 50;
/** Short, because others take a worker for dead that is not back soon: see jobs/orphaned-jobs.ts. */
const maxPauseMs = 1000;
/** Longer than a server takes that is there. */
const timeoutMs = 2000;
/** A first connection is what a start waits for, on a machine that may be busy with just that. */
const firstPatienceMs = 10_000;
const partingMs = 500;

/**
 * Keeps one connection, made anew whenever it breaks: in one loop, so that however long the database is away there is
 * one attempt at a time. Beats on it find out when its other end vanished without a word.
 * @returns what ends it, within seconds whatever the database does. @throws when the first attempt fails.
 */
export async function stayConnected(connection: pg.ClientConfig, use: LastingUse) {
  const first = Promise.withResolvers<void>();
  const line: Line = { stopped: false, socket: undefined, wake: () => undefined };
  const keep = async () => {
    let isFirst = true;
    for (let pauseMs = firstPauseMs; !line.stopped; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      const answered = (askedAtMs: number) => {
        pauseMs = firstPauseMs;
        use.answered?.(askedAtMs);
        first.resolve();
      };
      const limitMs = isFirst ? firstPatienceMs : timeoutMs;
      isFirst = false;
      await useOnce(connection, { ...use, answered }, line, limitMs).catch((error) => {
        if (!line.stopped) use.lost(error);
        first.reject(error);
      });
      if (!line.stopped) await pause(line, pauseMs);
    }
  };
  const kept = keep();
  const stop = async () => {
    line.stopped = true;
    line.wake();
    setTimeout(() => line.socket?.destroy(), partingMs).unref();
    await kept;
  };
  await first.promise.catch((error) => stop().then(() => Promise.reject(error)));
  return stop;
}

type Line = { stopped: boolean; socket: Socket | undefined; wake: () => void };

/** Uses one connection until it breaks, which is thrown, or until it is stopped. */
async function useOnce(
  connection: pg.ClientConfig,
  use: Required<LastingUse>,
  line: Line,
  limitMs: number,
): Promise<void> {
  const socket = new Socket();
  line.socket = socket;
  const settings = {
    ...connection,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    application_name: use.name,
  };
  const client = new pg.Client({ ...settings, stream: () => socket });
  let inUse = true;
  client.on('error', () => undefined);
  // Out of the pause between beats, that is: the pause before the next attempt is not to be cut short.
  client.on('end', () => inUse && line.wake());
  try {
    await client.connect();
    await use.begin(client);
    while (!line.stopped) {
      const askedAtMs = performance.now();
      // Rejects when the connection has ended: this is how every kind of end is learnt of.
      await client.query({ text: 'select 1', query_timeout: timeoutMs } as pg.QueryConfig);
      use.answered(askedAtMs);
      if (!socket.destroyed) await pause(line, use.beatEveryMs);
    }
  } finally {
    inUse = false;
    // A server that is gone never says goodbye, and a socket left waiting for it would be one more for each attempt.
    const goodbye = socket.destroyed ? undefined : client.end().catch(() => undefined);
    await Promise.race([goodbye, pause(line, partingMs)]);
    socket.destroy();
  }
}

function pause(line: Line, ms: number): Promise<void> {
  return new Promise((resolve) => {
    line.wake = resolve;
    setTimeout(resolve, ms).unref();
  });
}
