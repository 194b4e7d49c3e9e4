import { sql } from 'kysely';
import type pg from 'pg';
import { describeError, type Log } from '../log/index.ts';
import type { Db } from './connect.ts';
import { stayConnected } from './stay-connected.ts';

/** News between the processes of a site, by PostgreSQL's LISTEN and NOTIFY. */
export type Notices = {
  on(topic: string, hear: (text: string) => void): void;
  /**
   * Called whenever news may have been missed, and before `healthy` is true again: what was remembered because of
   * earlier news is to be forgotten.
   */
  onGap(forget: () => void): void;
  /** False while it is not certain that news would be heard: what depends on it must then ask the database. */
  healthy(): boolean;
  stop(): Promise<void>;
};

const channel = 'onward';
const beatEveryMs = 250;
/** How long after a beat the listening connection is still believed in. Ended tokens work at most this much longer. */
const trustMs = 700;

/** Tells every process, this one included, once the transaction commits. `text` is short and holds no secret. */
export async function notify(db: Db, topic: string, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${topic} ${text}`})`.execute(db);
}

type Silence = { ms: number; noticed(): void };

/**
 * Listens on a connection of its own, which is made anew whenever it breaks. Where the database has said nothing for long,
 * `silence` hears of it: its machine may be gone without a word, and who waits on other connections would not know for
 * a quarter of an hour. @throws when it cannot at the start.
 */
export async function startNotices(
  connection: pg.ClientConfig,
  log: Log,
  silence?: Silence,
): Promise<Notices> {
  const hearers = new Map<string, ((text: string) => void)[]>();
  const forgetters: (() => void)[] = [];
  let trustedUntilMs = 0;
  let answeredAtMs = performance.now();

  const hear = ({ payload = '' }: pg.Notification) => {
    const space = payload.indexOf(' ');
    for (const each of hearers.get(payload.slice(0, space)) ?? []) each(payload.slice(space + 1));
  };
  const stop = await stayConnected(connection, {
    name: 'onward listener',
    beatEveryMs,
    async begin(client) {
      client.on('notification', hear);
      await client.query(`listen ${channel}`);
    },
    // The answer proves that all news up to the beat has been heard, and nothing of what came after it: time counts
    // from the sending, not from the answer.
    answered(askedAtMs) {
      if (performance.now() >= trustedUntilMs) for (const forget of forgetters) forget();
      trustedUntilMs = askedAtMs + trustMs;
      answeredAtMs = performance.now();
    },
    lost(error) {
      if (trustedUntilMs !== 0)
        log.warn({ error: describeError(error) }, 'the listening connection was lost');
      trustedUntilMs = 0;
      if (silence && performance.now() - answeredAtMs > silence.ms) silence.noticed();
    },
  });
  return {
    on: (topic, hearer) => void hearers.set(topic, [...(hearers.get(topic) ?? []), hearer]),
    onGap: (forget) => void forgetters.push(forget),
    healthy: () => performance.now() < trustedUntilMs,
    async stop() {
      await stop();
      trustedUntilMs = 0;
    },
  };
}
