import { sql } from 'kysely';
import pg from 'pg';
import { describeError, type Log } from '../log/index.ts';
import type { Db } from './connect.ts';

/** News between the processes of a site, by PostgreSQL's LISTEN and NOTIFY. */
export type Notices = {
  on(topic: string, hear: (text: string) => void): void;
  /** Called whenever news may have been missed: what was remembered because of earlier news is to be forgotten. */
  onGap(forget: () => void): void;
  /** False while the listening connection is away: what depends on hearing news must then ask the database. */
  healthy(): boolean;
  stop(): Promise<void>;
};

const channel = 'onward';
const heartbeatEveryMs = 2000;

/** Tells every process, this one included, once the transaction commits. `text` is short and holds no secret. */
export async function notify(db: Db, topic: string, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${topic} ${text}`})`.execute(db);
}

/** Listens on a connection of its own, which is made anew whenever it breaks. */
export async function startNotices(connection: pg.ClientConfig, log: Log): Promise<Notices> {
  const hearers = new Map<string, (text: string) => void>();
  const forgetters: (() => void)[] = [];
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const hear = ({ payload = '' }: pg.Notification) => {
    const space = payload.indexOf(' ');
    hearers.get(payload.slice(0, space))?.(payload.slice(space + 1));
  };
  const lose = (lost: pg.Client, error?: Error) => {
    if (client !== lost || stopped) return;
    client = undefined;
    log.warn({ error: describeError(error) }, 'the listening connection was lost');
    lost.end().catch(() => undefined);
    retryLater();
  };
  const listen = async () => {
    const next = new pg.Client({
      ...connection,
      application_name: 'onward listener',
      query_timeout: heartbeatEveryMs,
    });
    next.on('notification', hear);
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next));
    await next.connect();
    await next.query(`listen ${channel}`);
    if (stopped) return next.end();
    client = next;
    for (const forget of forgetters) forget();
  };
  const retryLater = () => {
    timer = setTimeout(() => listen().catch(retryLater), 250).unref();
  };
  // A connection whose other end vanished without a word looks fine until something is asked on it.
  const heartbeat = setInterval(() => {
    const asked = client;
    asked?.query('select 1').catch((error) => lose(asked, error));
  }, heartbeatEveryMs).unref();

  await listen();
  return {
    on: (topic, hearer) => void hearers.set(topic, hearer),
    onGap: (forget) => void forgetters.push(forget),
    healthy: () => client !== undefined,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(heartbeat);
      await client?.end();
    },
  };
}
