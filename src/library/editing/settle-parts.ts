import type { Caller } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { Service } from '../hsds/service.ts';
import type { ServiceRow } from '../import/service-row.ts';
import { ownOrganizationId, requireEditor } from './may-edit.ts';
import { findForeignPlaces, findOrganizationDocument, findTermDocuments } from './store.ts';

/**
 * The service with its organisation in it: as it was sent, or as the library has it where only its id was sent. A
 * provider who names none means their own.
 * @throws Problem `forbidden` for another's organisation, `unprocessable` for one that nobody knows.
 */
export async function withOrganization(trx: Trx, caller: Caller, service: Service): Promise<Service> {
  const { organization } = service;
  const id = organization?.id ?? service.organization_id ?? ownOrganizationId(caller);
  if (service.organization_id !== undefined && service.organization_id !== id) {
    throw refusal({ pointer: '/organization_id', message: 'must be the id of the organization beside it' });
  }
  requireEditor(caller, id);
  if (id === null) return service;
  if (organization) return service;
  const known = await findOrganizationDocument(trx, id);
  if (known === undefined) {
    throw refusal({
      pointer: '/organization_id',
      message: 'is not an organisation of the library: send it whole, as organization',
    });
  }
  return { ...service, organization_id: id, organization: JSON.parse(known) };
}

/**
 * The row with the library's own words for the terms that the library knows: editing one service renames no term for all
 * the others. Terms that are new are an operator's to bring in.
 * @throws Problem `unprocessable`, which points at the terms that a provider made up.
 */
export async function withKnownTerms(
  trx: Trx,
  caller: Caller,
  service: Service,
  row: ServiceRow,
): Promise<ServiceRow> {
  const known = await findTermDocuments(
    trx,
    row.terms.map(({ id }) => id),
  );
  if (!caller.roles.includes('operator')) {
    const errors = (service.attributes ?? []).flatMap(({ taxonomy_term: term }, index) =>
      term && !known.has(term.id)
        ? [
            {
              pointer: `/attributes/${index}/taxonomy_term/id`,
              message: 'is not a term of the library: choose one of those that are, or ask an operator',
            },
          ]
        : [],
    );
    if (errors.length > 0) throw refusal(...errors);
  }
  const terms = row.terms.map((term) => {
    const document = known.get(term.id);
    return document === undefined ? term : (JSON.parse(document) as typeof term);
  });
  return { ...row, terms };
}

/**
 * Sees to it that a service at a location that is read by its id stays its own: two of one id, and what was read would be
 * the other's. Those that were there before came so with an import, and stay.
 * @throws Problem `unprocessable`, which points at the ids.
 */
export async function requireOwnPlaces(
  trx: Trx,
  before: Service | undefined,
  { id, service_at_locations: places = [] }: Service,
): Promise<void> {
  const known = new Set(before?.service_at_locations?.map((place) => place.id));
  const added = places.flatMap((place) => (place.id === undefined || known.has(place.id) ? [] : place.id));
  if (added.length === 0) return;
  const foreign = await findForeignPlaces(trx, id, added);
  const errors = places.flatMap((place, index) =>
    place.id !== undefined && foreign.has(place.id) && !known.has(place.id)
      ? [
          {
            pointer: `/service_at_locations/${index}/id`,
            message: 'is that of another service: leave it out',
          },
        ]
      : [],
  );
  if (errors.length > 0) throw refusal(...errors);
}

function refusal(...errors: FieldError[]): Problem {
  return new Problem(unprocessable, 'See `errors` for what to change, and where.', { errors });
}
