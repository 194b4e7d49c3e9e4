import type { Db } from '../../../platform/database/index.ts';
import { locate } from '../../postcodes/locate.ts';
import { listUsedTerms } from '../../services/store.ts';
import type { ServiceForm, withForm } from '../form/service-form.ts';
import { findTermDocuments } from '../store.ts';

/** What the library knows of what a form names: its terms, and where its postcode is. */
export async function knownFor(
  db: Db,
  { values, terms }: ServiceForm,
): Promise<Parameters<typeof withForm>[2]> {
  const [offered, documents, place] = await Promise.all([
    listUsedTerms(db),
    findTermDocuments(db, terms),
    locate(db, values.postal_code ?? ''),
  ]);
  return {
    terms: offered.map((term) => {
      const document = documents.get(term.id);
      return document === undefined ? term : JSON.parse(document);
    }),
    point: place && { latitude: place.latitude, longitude: place.longitude },
  };
}
