import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { type Change, creation, update } from '../model/change.ts';
import type { Service } from '../model/service.ts';
import { recordChanges } from '../write/changes-store.ts';
import {
  bareTermIds,
  comparableService,
  type ServiceRow,
  searchWordsOf,
  serviceRow,
} from '../write/service-row.ts';
import { saveSearchWords, saveServices } from '../write/services-store.ts';
import { authorOf, ownOrganizationId, requireEditor } from './editors.ts';
import {
  findEditDates,
  findForeignLocationIds,
  findOrganizationDocument,
  findTermDocuments,
  recordEdit,
} from './store.ts';

export type ServiceEdit = {
  /** What was there; undefined for a new service. */
  before: Service | undefined;
  after: Service;
  /** What the audit calls it, such as `service.edited`. */
  action: string;
  address: string;
  at: Date;
};

/** What answers say of a service besides what was sent: one that is read, changed and sent back must not store it. */
const siteFields: ReadonlySet<string> = new Set([
  'last_modified',
  'metadata',
  'service_capacity',
  'responsiveness',
  'distance_metres',
  'in_service_area',
]);

/**
 * Saves a service as an import does, with all that it is found by, its history and the audit. Where nothing is different
 * nothing is written.
 */
export async function saveServiceChange(
  deps: Platform,
  trx: Trx,
  caller: Caller,
  edited: ServiceEdit,
): Promise<void> {
  const { before, at } = edited;
  const said = Object.entries(before ?? {}).filter(([name]) => siteFields.has(name));
  const sent = Object.entries(edited.after).filter(([name]) => !siteFields.has(name));
  const service = await withTermsById(trx, before, Object.fromEntries([...sent, ...said]) as Service);
  const after = await withOrganization(trx, caller, { ...service, last_modified: at.toISOString() });
  const change = changeOf(before, after);
  if (change.fields.length === 0) return;
  await requireOwnLocationIds(trx, before, after);
  const row = await withKnownTerms(trx, caller, after, serviceRow(comparableService(after, at, at)));
  const editedAt = isCheckOnly(change) ? (await findEditDates(trx, [after.id])).get(after.id) : at;
  await saveServices(trx, [row], at);
  await saveSearchWords(trx, [...searchWordsOf(row)]);
  if (editedAt) await recordEdit(trx, after.id, editedAt);
  await recordChanges(trx, authorOf(deps, caller, at), [change]);
  await recordAudit(trx, {
    at,
    actor: actorOf(caller, edited.address),
    action: edited.action,
    subject: { type: 'service', id: after.id },
    details: { fields: change.fields.map(({ name }) => name) },
  });
}

/** Whoever says that an entry is right has changed nothing of it: what its source says next is not to be kept out. */
function isCheckOnly({ fields }: Change): boolean {
  return fields.every(({ name }) => name === 'assured_date' || name === 'assurer_email');
}

function changeOf(before: Service | undefined, after: Service): Change {
  if (!before) return creation('service', after.id);
  // When it changed is no change by itself.
  return update('service', after.id, { ...before, last_modified: after.last_modified }, after);
}

/**
 * The service with its organisation in it: as it was sent, or as the library has it where only its id was sent. A
 * provider who names none means their own.
 * @throws Problem `forbidden` for another's organisation, `unprocessable` for one that nobody knows.
 */
async function withOrganization(trx: Trx, caller: Caller, service: Service): Promise<Service> {
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
async function requireOwnLocationIds(
  trx: Trx,
  before: Service | undefined,
  { id, service_at_locations: places = [] }: Service,
): Promise<void> {
  const known = new Set(before?.service_at_locations?.map((place) => place.id));
  const added = places.flatMap((place) => (place.id === undefined || known.has(place.id) ? [] : place.id));
  if (added.length === 0) return;
  const foreign = await findForeignLocationIds(trx, id, added);
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

/**
 * The service with the terms in it that were sent by their ids alone, as its organisation may be: it is searched for by
 * their names, and shows them. What came so with an import may stay without.
 * @throws Problem `unprocessable`, which points at the ids of terms that the library does not have.
 */
async function withTermsById(trx: Trx, before: Service | undefined, service: Service): Promise<Service> {
  const named = bareTermIds(service);
  if (named.length === 0) return service;
  const known = await findTermDocuments(trx, named);
  const kept = new Set(before && bareTermIds(before));
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
