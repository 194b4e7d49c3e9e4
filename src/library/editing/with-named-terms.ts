import type { Trx } from '../../platform/database/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import type { Service } from '../hsds/service.ts';
import { termIdsAlone } from '../import/service-row.ts';
import { findTermDocuments } from './store.ts';

/**
 * The service with the terms in it that were sent by their ids alone, as its organisation may be: it is searched for by
 * their names, and shows them. What came so with an import may stay without.
 * @throws Problem `unprocessable`, which points at the ids of terms that the library does not have.
 */
export async function withNamedTerms(
  trx: Trx,
  before: Service | undefined,
  service: Service,
): Promise<Service> {
  const named = termIdsAlone(service);
  if (named.length === 0) return service;
  const known = await findTermDocuments(trx, named);
  const kept = new Set(before && termIdsAlone(before));
  const attributes = service.attributes!.map((attribute) => {
    const document = attribute.taxonomy_term ? undefined : known.get(attribute.taxonomy_term_id ?? '');
    return document === undefined ? attribute : { ...attribute, taxonomy_term: JSON.parse(document) };
  });
  const message = 'is not a term of the library: choose one of those that are';
  const errors = attributes.flatMap(({ taxonomy_term, taxonomy_term_id: id }, index) =>
    taxonomy_term || id === undefined || kept.has(id)
      ? []
      : [{ pointer: `/attributes/${index}/taxonomy_term_id`, message }],
  );
  if (errors.length === 0) return { ...service, attributes };
  throw new Problem(unprocessable, 'See `errors` for what to change, and where.', { errors });
}
