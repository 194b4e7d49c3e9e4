import pg from 'pg';
import { until } from '../app/until.ts';

/**
 * Waits until a restore or move has marked the database, and locks the mark, so that the command has to wait.
 * @returns a function that releases the lock.
 */
export async function lockRestoreMark(
  url: string,
  lock: 'access exclusive' | 'access share',
): Promise<() => Promise<void>> {
  const target = new pg.Client(url);
  await target.connect();
  const isMarked = async () =>
    (await target.query(`select to_regclass('onward_restore') as mark`)).rows[0].mark !== null;
  await until(isMarked);
  await target.query(`begin; lock table onward_restore in ${lock} mode`);
  return () => target.end();
}
