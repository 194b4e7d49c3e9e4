import { Socket } from 'node:net';
import pg from 'pg';

/** What a kept connection is for. */
export type ConnectionUse = {
  name: string;
  beatEveryMs: number;
  /** Prepares each new connection. If it fails, another connection is tried. */
  onConnect(client: pg.Client): Promise<void>;
  /** Called on each answer to a beat, with the monotonic time at which it was sent. */
  onAnswer?(askedAtMs: number): void;
  /** Called when the connection is gone, and for each attempt that failed. */
  onLost(error: unknown): void;
};

const firstPauseMs = 50;
/** Short, because a worker that stays disconnected loses its jobs: see jobs/orphaned-jobs.ts. */
const maxPauseMs = 1000;
/** For connecting, and for each query. A working server answers sooner. */
const timeoutMs = 2000;
/** The first connection is made during the start, when the machine is busy. */
const firstTimeoutMs = 10_000;
const goodbyeMs = 500;

/**
 * Keeps one connection open, and replaces it whenever it breaks. One loop does this, so there is never more than one
 * attempt at a time. A regular beat finds out when the other end has vanished.
 * @returns a function that ends it within seconds, even if the database does not answer.
 * @throws when the first attempt fails.
 */
export async function stayConnected(connection: pg.ClientConfig, use: ConnectionUse) {
  const first = Promise.withResolvers<void>();
  const loop: Loop = { isStopped: false, socket: undefined, wake: () => undefined };
  const keep = async () => {
    let isFirst = true;
    let pauseMs = firstPauseMs;
    const onAnswer = (askedAtMs: number) => {
      pauseMs = firstPauseMs;
      use.onAnswer?.(askedAtMs);
      first.resolve();
    };
    while (!loop.isStopped) {
      const attemptTimeoutMs = isFirst ? firstTimeoutMs : timeoutMs;
      isFirst = false;
      await useOnce(connection, { ...use, onAnswer }, loop, attemptTimeoutMs).catch((error) => {
        if (!loop.isStopped) use.onLost(error);
        first.reject(error);
      });
      if (!loop.isStopped) await pause(loop, pauseMs);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
  };
  const loopEnded = keep();
  const stop = async () => {
    loop.isStopped = true;
    loop.wake();
    setTimeout(() => loop.socket?.destroy(), goodbyeMs).unref();
    await loopEnded;
  };
  await first.promise.catch((error) => stop().then(() => Promise.reject(error)));
  return stop;
}

type Loop = { isStopped: boolean; socket: Socket | undefined; wake: () => void };

/** Uses one connection until the loop is stopped. @throws when the connection breaks. */
async function useOnce(
  connection: pg.ClientConfig,
  use: Required<ConnectionUse>,
  loop: Loop,
  attemptTimeoutMs: number,
): Promise<void> {
  const socket = new Socket();
  loop.socket = socket;
  const settings = {
    ...connection,
    connectionTimeoutMillis: attemptTimeoutMs,
    query_timeout: attemptTimeoutMs,
    application_name: use.name,
  };
  const client = new pg.Client({ ...settings, stream: () => socket });
  let isInUse = true;
  client.on('error', () => undefined);
  // A connection that is lost while in use ends the pause between two beats. Later, its end must not cut short the pause before the
  // next attempt, which `loop.wake` would end as well.
  client.on('end', () => isInUse && loop.wake());
  try {
    await client.connect();
    await use.onConnect(client);
    while (!loop.isStopped) {
      const askedAtMs = performance.now();
      // Rejects when the connection has ended for any reason.
      await client.query({ text: 'select 1', query_timeout: timeoutMs } as pg.QueryConfig);
      use.onAnswer(askedAtMs);
      if (!socket.destroyed) await pause(loop, use.beatEveryMs);
    }
  } finally {
    isInUse = false;
    // A server that is gone never answers the goodbye, and each attempt would leave one more open socket.
    const goodbye = socket.destroyed ? undefined : client.end().catch(() => undefined);
    await Promise.race([goodbye, pause(loop, goodbyeMs)]);
    socket.destroy();
  }
}

function pause(loop: Loop, ms: number): Promise<void> {
  return new Promise((resolve) => {
    loop.wake = resolve;
    setTimeout(resolve, ms).unref();
  });
}
