import {
  comparableService,
  lockForImport,
  recordChanges,
  type Service,
  saveServices,
  serviceRow,
  update,
} from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import type { ImportRun, Reading } from '../report/import-run.ts';
import { countRunning, findVanished, findWithoutOrganization, forgetHashes } from './source-store.ts';
import { findDocuments } from './stored-store.ts';

const batchSize = 500;
/** Below this, most of a source may well vanish in one day. */
const few = 10;

/**
 * Makes inactive what the source does not have any more, once all of it was read. Nothing is deleted: referrals point to
 * it, and a source that lost something by mistake brings it back with the next import.
 */
export async function retireVanished(run: ImportRun, reading: Reading): Promise<void> {
  const { db, author, report, dryRun } = run;
  const { sourceId } = author;
  const entries = reading.entries();
  if (sourceId === undefined || entries === undefined) return;
  const vanished = await findVanished(db, sourceId, [...entries], author.at);
  if (vanished.length > few && reading.trusts === 'few-vanished') {
    const running = await countRunning(db, sourceId);
    if (vanished.length * 2 > running) {
      report.notes.push(
        `${vanished.length} of ${running} services are not in the feed any more. That is more than half, so they stay ` +
          'as they are: if it is right, import once with --complete.',
      );
      return;
    }
  }
  for (let start = 0; start < vanished.length; start += batchSize) {
    const ids = vanished.slice(start, start + batchSize);
    if (!dryRun) await retire(run, ids);
    report.counts.inactive += ids.length;
  }
}

function retire({ db, author }: ImportRun, ids: readonly string[]): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockForImport(trx);
    const documents = await findDocuments(trx, ids);
    const changed = [...documents].map(([id, document]) => {
      const before = JSON.parse(document) as Service;
      const after = { ...before, status: 'inactive' as const, last_modified: author.at.toISOString() };
      return {
        row: serviceRow(comparableService(after, author.at, author.at)),
        change: update('service', id, before, after),
      };
    });
    const rows = changed.map(({ row }) => row);
    await saveServices(trx, rows, author.at);
    // So that it is a change again when the source brings it back as it was.
    await forgetHashes(trx, ids);
    await recordChanges(
      trx,
      author,
      changed.map(({ change }) => change),
    );
  });
}

const maxNamed = 10;

/**
 * Names the services that came in now and say who runs them by an id that nobody knows. They are kept: their organisation may
 * come with another file, and people can use them until then.
 */
export async function noteDangling({ db, author, report, dryRun }: ImportRun): Promise<void> {
  if (dryRun) return;
  const { count, some } = await findWithoutOrganization(db, author.at, maxNamed);
  if (count === 0) return;
  const more = count > some.length ? ` and ${count - some.length} more` : '';
  report.notes.push(
    `These services name an organization_id that the library does not have, and are listed without who runs them: ` +
      `${some.join(', ')}${more}. Import their organisation, or mend the id.`,
  );
}
