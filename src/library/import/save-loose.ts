import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { type Change, creation, update } from '../history/change.ts';
import { recordChanges } from '../history/store.ts';
import type { ImportRun } from './import-run.ts';
import type { Loose, LooseKind } from './loose.ts';
import { findLooseDocuments } from './loose-store.ts';
import { saveOrganizations } from './organization-store.ts';
import { described } from './single-values.ts';
import { saveTaxonomies, saveWholeTaxonomies } from './taxonomy-store.ts';

const kinds: readonly LooseKind[] = ['organization', 'taxonomy', 'taxonomy_term'];

/** Saves what of a batch belongs to no service: what is new or different of it, in one transaction. */
export async function saveLoose(run: ImportRun, loose: readonly Loose[]): Promise<void> {
  if (loose.length === 0) return;
  const { counts } = run.report;
  await inTransaction(run.db, async (trx) => {
    for (const kind of kinds) {
      const given = loose.filter((each) => each.kind === kind);
      const changes = await changesOf(trx, kind, given);
      counts.unchanged += given.length - changes.length;
      for (const { action } of changes) counts[action === 'create' ? 'created' : 'updated'] += 1;
      if (!run.dryRun) await recordChanges(trx, run.author, changes);
    }
    if (!run.dryRun) await save(trx, loose, run.author.at);
  });
}

async function changesOf(trx: Trx, kind: LooseKind, given: readonly Loose[]): Promise<Change[]> {
  const ids = given.map(({ thing }) => thing.id);
  const documents = await findLooseDocuments(trx, kind, ids);
  return given.flatMap(({ thing }) => {
    const before = documents.get(thing.id);
    if (before === undefined) return creation(kind, thing.id);
    const after = described(thing);
    return before === JSON.stringify(after) ? [] : update(kind, thing.id, JSON.parse(before), after);
  });
}

async function save(trx: Trx, loose: readonly Loose[], at: Date): Promise<void> {
  const organizations = loose.flatMap((each) => (each.kind === 'organization' ? each.thing : []));
  const taxonomies = loose.flatMap((each) => (each.kind === 'taxonomy' ? each.thing : []));
  const terms = loose.flatMap((each) => (each.kind === 'taxonomy_term' ? each.thing : []));
  await saveOrganizations(
    trx,
    organizations.map((organization) => ({ organization })),
    at,
  );
  await saveTaxonomies(trx, [{ terms }], at);
  // What is said of a taxonomy by itself counts before what a term says of it.
  await saveWholeTaxonomies(trx, taxonomies, at);
}
