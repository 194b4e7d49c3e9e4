import {
  type Change,
  creationOf,
  recordChanges,
  saveOrganizations,
  saveTaxonomies,
  saveWholeTaxonomies,
  updateOf,
  withDescription,
} from '../../../library/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import type { Standalone, StandaloneKind } from '../model/record.ts';
import type { ImportRun } from '../report/import-run.ts';
import { findStandaloneDocuments } from './library-versions-store.ts';

const kinds: readonly StandaloneKind[] = ['organization', 'taxonomy', 'taxonomy_term'];

/** Saves the records of a batch that belong to no service, if they are new or different, in one transaction. */
export async function saveStandalone(run: ImportRun, standalone: readonly Standalone[]): Promise<void> {
  if (standalone.length === 0) return;
  const { counts } = run.report;
  await inTransaction(run.db, async (trx) => {
    for (const kind of kinds) {
      const recordsOfKind = standalone.filter((each) => each.kind === kind);
      const changes = await changesOf(trx, kind, recordsOfKind);
      counts.unchanged += recordsOfKind.length - changes.length;
      for (const { action } of changes) counts[action === 'create' ? 'created' : 'updated'] += 1;
      if (!run.dryRun) await recordChanges(trx, run.author, changes);
    }
    if (!run.dryRun) await save(trx, standalone, run.author.at);
  });
}

async function changesOf(
  trx: Trx,
  kind: StandaloneKind,
  recordsOfKind: readonly Standalone[],
): Promise<Change[]> {
  const ids = recordsOfKind.map(({ thing }) => thing.id);
  const documents = await findStandaloneDocuments(trx, kind, ids);
  return recordsOfKind.flatMap(({ thing }) => {
    const before = documents.get(thing.id);
    if (before === undefined) return creationOf(kind, thing.id);
    const after = withDescription(thing);
    return before === JSON.stringify(after) ? [] : updateOf(kind, thing.id, JSON.parse(before), after);
  });
}

async function save(trx: Trx, standalone: readonly Standalone[], at: Date): Promise<void> {
  const organizations = standalone.flatMap((each) => (each.kind === 'organization' ? each.thing : []));
  const taxonomies = standalone.flatMap((each) => (each.kind === 'taxonomy' ? each.thing : []));
  const terms = standalone.flatMap((each) => (each.kind === 'taxonomy_term' ? each.thing : []));
  await saveOrganizations(
    trx,
    organizations.map((organization) => ({ organization })),
    at,
  );
  await saveTaxonomies(trx, [{ terms }], at);
  // The taxonomy's own record comes last: it is preferred to what a term says of its taxonomy.
  await saveWholeTaxonomies(trx, taxonomies, at);
}
