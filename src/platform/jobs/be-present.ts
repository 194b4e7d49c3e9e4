import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { stayConnected } from '../database/connect.ts';

export type Presence = { held(): boolean; end(): Promise<void> };

/** What the database calls it, by which others see that there is a worker. */
export const workerConnection = 'onward worker';
const beatEveryMs = 2000;
const askAgainAfterMs = 250;

/** Holds the lock of this name on a connection of its own, and takes it again whenever the database comes back. */
export async function bePresent(connection: pg.ClientConfig, workerName: string): Promise<Presence> {
  let held = false;
  const end = await stayConnected(connection, {
    name: workerConnection,
    beatEveryMs,
    async begin(client) {
      // When this machine dies without a word, the server finds out in 25 seconds instead of two hours.
      await client.query(
        `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`,
      );
      // Where the server has not noticed yet that an earlier connection broke, that one's session still has the lock.
      // Asked for instead of waited for: a waiting session stays on the server when its client gives up.
      while (!(await takeLock(client, workerName))) await delay(askAgainAfterMs);
      held = true;
    },
    lost() {
      held = false;
    },
  });
  return {
    held: () => held,
    async end() {
      held = false;
      await end();
    },
  };
}

async function takeLock(client: pg.Client, workerName: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [workerName],
  );
  return rows[0]!.taken;
}
