import { actorOf, type Caller } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FieldError, type Problem, unprocessable, wrongInput } from '../../platform/problem/index.ts';
import { siteFields } from '../hsds/schemas.ts';
import { type Change, creationOf, updateOf } from '../model/change.ts';
import type { Service } from '../model/service.ts';
import { recordChanges } from '../write/changes-store.ts';
import { saveServices } from '../write/save-services.ts';
import {
  bareTermIds,
  comparableService,
  type ServiceRow,
  searchWordsOf,
  serviceRow,
} from '../write/service-row.ts';
import { saveSearchWords } from '../write/services-store.ts';
import {
  findEditDates,
  findOrganizationDocument,
  findServiceAtLocationIdsOfOthers,
  findTermDocuments,
} from './edit-service-store.ts';
import { authorOf, ownOrganizationId, requireEditor } from './editors.ts';

export type ServiceEdit = {
  /** Undefined for a new service. */
  before: Service | undefined;
  after: Service;
  action: AuditAction;
  ipAddress: string;
  at: Date;
};

/**
 * Saves a service with everything search needs, its history and the audit. Writes nothing if nothing has changed. All
 * checks come before the first write.
 */
export async function saveServiceChange(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  edited: ServiceEdit,
): Promise<void> {
  const { before, at } = edited;
  const storedHere = Object.entries(before ?? {}).filter(([name]) => siteFields.has(name));
  const fields = Object.entries(edited.after).filter(([name]) => !siteFields.has(name));
  const service = await withTermsById(trx, before, Object.fromEntries([...fields, ...storedHere]) as Service);
  const after = await withOrganization(trx, caller, { ...service, last_modified: at.toISOString() });
  const change = changeOf(before, after);
  if (change.fields.length === 0) return;
  await requireOwnLocationIds(trx, before, after);
  const row = await withKnownTerms(trx, caller, after, serviceRow(comparableService(after, at, at)));
  const editedAt = isCheckOnly(change) ? await findEditDates(trx, [after.id]) : new Map([[after.id, at]]);
  await saveServices(trx, [row], at, { editedAt });
  await saveSearchWords(trx, [...searchWordsOf(row)]);
  await recordChanges(trx, authorOf(deps, caller, at), [change]);
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, edited.ipAddress),
    action: edited.action,
    subject: { type: 'service', id: after.id },
    details: { fields: change.fields.map(({ name }) => name) },
  });
}

/** A check changes nothing in the entry itself, so later changes from its source are still imported. */
function isCheckOnly({ fields }: Change): boolean {
  return fields.every(({ name }) => name === 'assured_date' || name === 'assurer_email');
}

function changeOf(before: Service | undefined, after: Service): Change {
  if (!before) return creationOf('service', after.id);
  // A new last_modified alone is not a change.
  return updateOf('service', after.id, { ...before, last_modified: after.last_modified }, after);
}

/**
 * Adds the organisation to the service: as it was sent, or the library's own if only its id was sent. A provider's default
 * is their own organisation.
 * @throws Problem `forbidden` for an organisation the caller may not edit, `unprocessable` for an unknown one.
 */
async function withOrganization(trx: Trx, caller: Caller, service: Service): Promise<Service> {
  const { organization } = service;
  const id = organization?.id ?? service.organization_id ?? ownOrganizationId(caller);
  if (service.organization_id !== undefined && service.organization_id !== id) {
    throw refusal({ pointer: '/organization_id', message: 'must be the id of the organization beside it' });
  }
  requireEditor(caller, id);
  if (id === null || organization) return service;
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
 * Replaces known terms by the library's own, so that editing one service does not rename a term of all others. Only
 * operators may add new terms.
 * @throws Problem `unprocessable`, with pointers to a provider's new terms.
 */
async function withKnownTerms(
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
    const message = 'is not a term of the library: choose one of those that are, or ask an operator';
    const errors: FieldError[] = [];
    for (const [index, { taxonomy_term: term }] of (service.attributes ?? []).entries()) {
      if (term && !known.has(term.id))
        errors.push({ pointer: `/attributes/${index}/taxonomy_term/id`, message });
    }
    if (errors.length > 0) throw refusal(...errors);
  }
  const terms = row.terms.map((term) => {
    const document = known.get(term.id);
    return document === undefined ? term : (JSON.parse(document) as typeof term);
  });
  return { ...row, terms };
}

/**
 * Refuses a new location with the id of another service's location: reading that id would return the wrong service. Such
 * ids that came with an import stay.
 * @throws Problem `unprocessable`, with pointers to the ids.
 */
async function requireOwnLocationIds(
  trx: Trx,
  before: Service | undefined,
  { id, service_at_locations: places = [] }: Service,
): Promise<void> {
  const known = new Set(before?.service_at_locations?.map((place) => place.id));
  const newIds = places.flatMap((place) => (place.id === undefined || known.has(place.id) ? [] : place.id));
  if (newIds.length === 0) return;
  const foreign = await findServiceAtLocationIdsOfOthers(trx, id, newIds);
  const message = 'is that of another service: leave it out';
  const errors: FieldError[] = [];
  for (const [index, { id: placeId }] of places.entries()) {
    if (placeId !== undefined && foreign.has(placeId) && !known.has(placeId))
      errors.push({ pointer: `/service_at_locations/${index}/id`, message });
  }
  if (errors.length > 0) throw refusal(...errors);
}

function refusal(...errors: FieldError[]): Problem {
  return wrongInput(unprocessable, errors);
}

/**
 * Adds the terms that were sent by their ids alone: people search for and see their names. Unknown ids that came with an
 * import stay as they are.
 * @throws Problem `unprocessable`, with pointers to ids that the library does not have.
 */
async function withTermsById(trx: Trx, before: Service | undefined, service: Service): Promise<Service> {
  const named = bareTermIds(service);
  if (named.length === 0) return service;
  const known = await findTermDocuments(trx, named);
  const bareIdsBefore = new Set(before && bareTermIds(before));
  const attributes = service.attributes!.map((attribute) => {
    const document = attribute.taxonomy_term ? undefined : known.get(attribute.taxonomy_term_id ?? '');
    return document === undefined ? attribute : { ...attribute, taxonomy_term: JSON.parse(document) };
  });
  const message = 'is not a term of the library: choose one of those that are';
  const errors: FieldError[] = [];
  for (const [index, { taxonomy_term, taxonomy_term_id: id }] of attributes.entries()) {
    if (!taxonomy_term && id !== undefined && !bareIdsBefore.has(id))
      errors.push({ pointer: `/attributes/${index}/taxonomy_term_id`, message });
  }
  if (errors.length > 0) throw refusal(...errors);
  return { ...service, attributes };
}
