import type { Db, Notices } from '../database/index.ts';
import type { App } from '../http/index.ts';
import { describeError, type Log } from '../log/index.ts';
import { type CheckFirst, checkFirstTopic, findCheckFirst } from './check-first-store.ts';

/**
 * Sets a header on every answer while the site is in check first; pages turn it into a banner. The state is kept in memory, so
 * that requests do not wait for the database.
 */
export function addCheckFirstHeader(
  app: App,
  { db, notices, log }: { db: Db; notices: Notices; log: Log },
): void {
  let latest: Promise<CheckFirst | undefined> | undefined;
  const askDatabase = async (previous: typeof latest) => {
    try {
      return await findCheckFirst(db);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'the database cannot say whether the site is in check first');
      return previous;
    }
  };
  const ask = () => {
    latest = askDatabase(latest);
    return latest;
  };
  notices.on(checkFirstTopic, () => void ask());
  notices.onGap(() => void ask());
  app.addHook('onRequest', async (_request, reply) => {
    const checkFirst = await (latest ?? ask());
    if (checkFirst) reply.header('onward-check-first', checkFirst.backupMadeAt.toISOString());
  });
}
