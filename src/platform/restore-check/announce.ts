import type { Db, Notices } from '../database/index.ts';
import type { App } from '../http/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { findRestoreCheck, type RestoreCheck, restoreCheckTopic } from './restore-check-store.ts';

/**
 * Sets a header on every answer while a restored site is being checked; pages turn it into a banner. A request waits for the database only
 * until the state has been read once. A failed reading is not remembered: the next request begins another one.
 */
export function addRestoreCheckHeader(
  app: App,
  { db, notices, log }: { db: Db; notices: Notices; log: Log },
): void {
  /** What was last read; undefined until the database has answered. */
  let known: { restoreCheck: RestoreCheck | undefined } | undefined;
  /** The newest reading, also when it has ended; undefined if it failed. */
  let newest: Promise<void> | undefined;
  const read = (): Promise<void> => {
    const reading = findRestoreCheck(db).then(
      (restoreCheck) => {
        // An older reading may end after a newer one, and would bring back what is no longer so.
        if (newest === reading) known = { restoreCheck };
      },
      (error: unknown) => {
        if (newest === reading) newest = undefined;
        log.warn(
          { error: describeError(error) },
          'the database cannot say whether the site is being checked after a restore',
        );
      },
    );
    newest = reading;
    return reading;
  };
  notices.on(restoreCheckTopic, () => void read());
  notices.onGap(() => void read());
  app.addHook('onRequest', async (_request, reply) => {
    const reading = newest ?? read();
    if (!known) await reading;
    if (known?.restoreCheck)
      reply.header('onward-check-first', known.restoreCheck.backupMadeAt.toISOString());
  });
}
