import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import { addKeyedJob } from '../../../platform/jobs/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { listReferralTables, vacuumTables, waitForEarlierTransactions } from './vacuum-store.ts';

/**
 * Nobody can make or read a referral while its table is rewritten: about a second for this size, several for 256
 * MB.
 */
const maxBytesToRewrite = 64 * 1024 * 1024;

/**
 * The `vacuum-erased` job: removes the bytes of erased rows from the tables’ files. A plain VACUUM only frees the
 * space, and the old bytes stay until they are overwritten; so tables are rewritten, except large ones, because
 * the site waits meanwhile. VACUUM keeps rows that an earlier transaction, such as a backup’s, may still read:
 * while there is one, the job is put off. On an outside database, the site’s role may not own the tables; then the
 * log says so.
 */
export async function vacuumErased(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  timeoutMs = 30_000,
): Promise<void> {
  if (!(await waitForEarlierTransactions(db, timeoutMs))) return inTransaction(db, postpone);
  const tables = await listReferralTables(db);
  for (const { name } of tables.filter(({ mayVacuum }) => !mayVacuum))
    log.warn({ table: name }, 'erased data stays in a table that this site may not vacuum');
  await vacuumTables(
    db,
    tables
      .filter(({ mayVacuum }) => mayVacuum)
      .map(({ name, bytes }) => ({ name, rewrite: bytes <= maxBytesToRewrite })),
  );
}

function postpone(trx: Trx): Promise<void> {
  return addKeyedJob(trx, 'vacuum-erased', {}, { key: 'vacuum-erased', inSeconds: 300 });
}
