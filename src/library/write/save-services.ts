import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { saveOffers, savePlacesHoursAndAreas } from '../filter/filter-rows-store.ts';
import { saveReportedAvailability } from './availability-store.ts';
import { findHiddenPlaces } from './confidential-places-store.ts';
import { markSensitiveByWords } from './mark-sensitive-store.ts';
import { saveOrganizations, saveTaxonomies } from './parts-store.ts';
import { rowWithoutPlaces, type ServiceRow } from './service-row.ts';
import {
  changesReferredServices,
  deletePartsOf,
  type SavedAs,
  saveDocuments,
  saveServiceAtLocations,
  saveServiceRows,
  saveServiceTerms,
} from './services-store.ts';

/**
 * Saves a batch of new or changed services with all their parts, and without confidential places. If people were referred to
 * one that closes, opens again or gets another organisation, the job that finds somebody for open referrals is queued.
 * @returns the ids of services that existed before
 */
export async function saveServices(
  trx: Trx,
  rows: readonly ServiceRow[],
  at: Date,
  as: SavedAs = {},
): Promise<readonly string[]> {
  const hidden = await findHiddenPlaces(trx, rows);
  const shown = rows.map((row) => {
    const places = hidden.get(row.id);
    return places ? rowWithoutPlaces(row, places, at) : row;
  });
  const sorted = shown.toSorted((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
  if (await changesReferredServices(trx, sorted)) await addJobs(trx, 'update-prompts', [{}]);
  await saveOrganizations(trx, sorted, at);
  await saveTaxonomies(trx, sorted, at);
  const known = await saveServiceRows(trx, sorted, at, as);
  await markSensitiveByWords(
    trx,
    sorted.filter(({ id }) => !known.includes(id)),
  );
  // New services have no parts to delete.
  if (known.length > 0) await deletePartsOf(trx, known);
  await saveDocuments(trx, sorted);
  await saveServiceTerms(trx, sorted);
  await saveServiceAtLocations(trx, sorted);
  await saveReportedAvailability(trx, sorted, at);
  const filters = sorted.map(({ filter }) => filter);
  await savePlacesHoursAndAreas(trx, filters);
  await saveOffers(trx, filters);
  return known;
}
