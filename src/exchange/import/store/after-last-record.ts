import { clearSourceHashes, findEditDates, lockForImport, type Service } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { maxChangesNamed } from '../report/import-report.ts';
import type { ImportRun, ImportSource } from '../report/import-run.ts';
import { findDocuments } from './library-versions-store.ts';
import { replaceServices } from './replace-services.ts';
import { keepVersionsBeforeImport } from './save-batch.ts';
import { countInUse, findVanished, findWithoutOrganization } from './source-store.ts';

const batchSize = 500;
/** If a source has no more services than this, most of them may well vanish in one day. */
const fewServices = 10;

/**
 * Makes services inactive that the source no longer has, once all of it was read. None is deleted: referrals name them, and a
 * source that lost some by mistake brings them back with the next import.
 */
export async function makeVanishedInactive(run: ImportRun, source: ImportSource): Promise<void> {
  const { db, author, report, dryRun } = run;
  const { sourceId } = author;
  const ids = source.allIds();
  if (sourceId === undefined || ids === undefined) return;
  const vanished = await findVanished(db, sourceId, [...ids], author.at);
  if (vanished.length > fewServices && !source.mayRetireMost) {
    const running = await countInUse(db, sourceId);
    if (vanished.length * 2 > running) {
      report.notes.push(
        `${vanished.length} of ${running} services are no longer in the feed. That is more than half, so they stay ` +
          'as they are. If it is right, import all of it once: “Re-import everything” on the page, --complete on the command line.',
      );
      return;
    }
  }
  if (dryRun) await nameVanished(run, vanished.slice(0, maxChangesNamed));
  for (let start = 0; start < vanished.length; start += batchSize) {
    const batch = vanished.slice(start, start + batchSize);
    if (!dryRun) await makeInactive(run, batch);
    report.counts.inactive += batch.length;
  }
}

async function nameVanished({ db, report }: ImportRun, ids: readonly string[]): Promise<void> {
  const documents = await findDocuments(db, ids);
  for (const [id, document] of documents)
    report.nameChange('inactive', { id, name: (JSON.parse(document) as Service).name });
}

function makeInactive(run: ImportRun, ids: readonly string[]): Promise<void> {
  const { db, author } = run;
  return inTransaction(db, async (trx) => {
    await lockForImport(trx);
    const documents = await findDocuments(trx, ids);
    const editedAt = await findEditDates(trx, ids);
    const rows = await replaceServices(
      trx,
      author,
      [...documents.values()].map((document) => {
        const before = JSON.parse(document) as Service;
        return { before, after: { ...before, status: 'inactive' } };
      }),
    );
    await keepVersionsBeforeImport(trx, run, rows, { documents, editedAt });
    // Otherwise the next import would take a service that comes back for unchanged.
    await clearSourceHashes(trx, ids);
  });
}

const maxNamed = 10;

/**
 * Names services of this import whose `organization_id` is unknown. They are kept: their organisation may come with another
 * file, and people can use them until then.
 */
export async function noteMissingOrganizations({ db, author, report, dryRun }: ImportRun): Promise<void> {
  if (dryRun) return;
  const { count, ids } = await findWithoutOrganization(db, author.at, maxNamed);
  if (count === 0) return;
  const more = count > ids.length ? ` and ${count - ids.length} more` : '';
  report.notes.push(
    `These services name an organization_id that the library does not have, and are listed without who runs them: ` +
      `${ids.join(', ')}${more}. Import their organisation, or correct the id.`,
  );
}
