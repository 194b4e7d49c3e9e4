import { sql } from 'kysely';
import type pg from 'pg';
import { describeError, type Log } from '../../log/index.ts';
import type { Db } from '../connect.ts';
import { stayConnected } from './stay-connected.ts';

/** Notices between the processes of a site, by PostgreSQL's LISTEN and NOTIFY. */
export type Notices = {
  on(topic: string, listener: (text: string) => void): void;
  /**
   * Called whenever a notice may have been missed, before `healthy` is true again. The listener forgets what it remembered
   * because of earlier notices.
   */
  onGap(forget: () => void): void;
  /** False while a notice might be missed. Code that depends on notices must then ask the database. */
  healthy(): boolean;
  stop(): Promise<void>;
};

const channel = 'onward';
const beatEveryMs = 250;
/** How long after a beat we rely on the listening connection. A token that was ended works at most this much longer. */
const trustMs = 700;

/** Tells every process, this one too, when the transaction commits. `text` is short and holds no secret. */
export async function notify(db: Db, topic: string, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${topic} ${text}`})`.execute(db);
}

/** What to do when the database has said nothing for this long. */
type SilenceAlarm = { maxSilenceMs: number; onSilence(): void };

/**
 * Listens on a connection of its own, which is replaced whenever it breaks. When the database has been silent for long,
 * `onSilence` is called: its machine may be gone, and queries on other connections would wait for a quarter of an hour.
 * @throws when the first connection fails.
 */
export async function startNotices(
  connection: pg.ClientConfig,
  log: Log,
  silenceAlarm?: SilenceAlarm,
): Promise<Notices> {
  const listeners = new Map<string, ((text: string) => void)[]>();
  const forgetters: (() => void)[] = [];
  let trustedUntilMs = 0;
  let answeredAtMs = performance.now();

  const passOn = ({ payload = '' }: pg.Notification) => {
    const space = payload.indexOf(' ');
    for (const each of listeners.get(payload.slice(0, space)) ?? []) each(payload.slice(space + 1));
  };
  const stop = await stayConnected(connection, {
    name: 'onward listener',
    beatEveryMs,
    async onConnect(client) {
      client.on('notification', passOn);
      await client.query(`listen ${channel}`);
    },
    // The answer proves that we have all notices up to the sending of the beat, so time counts from there.
    onAnswer(askedAtMs) {
      if (performance.now() >= trustedUntilMs) for (const forget of forgetters) forget();
      trustedUntilMs = askedAtMs + trustMs;
      answeredAtMs = performance.now();
    },
    onLost(error) {
      if (trustedUntilMs !== 0)
        log.warn({ error: describeError(error) }, 'the listening connection was lost');
      trustedUntilMs = 0;
      if (silenceAlarm && performance.now() - answeredAtMs > silenceAlarm.maxSilenceMs)
        silenceAlarm.onSilence();
    },
  });
  return {
    on: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: (forget) => void forgetters.push(forget),
    healthy: () => performance.now() < trustedUntilMs,
    async stop() {
      await stop();
      trustedUntilMs = 0;
    },
  };
}
