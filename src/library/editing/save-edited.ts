import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type Change, creation, update } from '../history/change.ts';
import { recordChanges } from '../history/store.ts';
import type { Service } from '../hsds/service.ts';
import { saidService, serviceRow, spelledWords } from '../import/service-row.ts';
import { saveServices } from '../import/store.ts';
import { saveSearchWords } from '../search/words-store.ts';
import { authorOf } from './author.ts';
import type { EditDeps } from './deps.ts';
import { requireOwnPlaces, withKnownTerms, withOrganization } from './settle-parts.ts';
import { findEdits, noteEdit } from './store.ts';
import { withNamedTerms } from './with-named-terms.ts';

export type Edited = {
  /** What was there; undefined for a new service. */
  before: Service | undefined;
  after: Service;
  /** What the audit calls it, such as `service.edited`. */
  action: string;
  address: string;
  at: Date;
};

/** What answers say of a service besides what was sent: one that is read, changed and sent back must not store it. */
const saidByTheSite: ReadonlySet<string> = new Set([
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
export async function saveEdited(deps: EditDeps, trx: Trx, caller: Caller, edited: Edited): Promise<void> {
  const { before, at } = edited;
  const said = Object.entries(before ?? {}).filter(([name]) => saidByTheSite.has(name));
  const sent = Object.entries(edited.after).filter(([name]) => !saidByTheSite.has(name));
  const service = await withNamedTerms(trx, before, Object.fromEntries([...sent, ...said]) as Service);
  const after = await withOrganization(trx, caller, { ...service, last_modified: at.toISOString() });
  const change = changeOf(before, after);
  if (change.fields.length === 0) return;
  await requireOwnPlaces(trx, before, after);
  const row = await withKnownTerms(trx, caller, after, serviceRow(saidService(after, at, at)));
  const editedAt = isCheck(change) ? (await findEdits(trx, [after.id])).get(after.id) : at;
  await saveServices(trx, [row], at);
  await saveSearchWords(trx, [...spelledWords(row)]);
  if (editedAt) await noteEdit(trx, after.id, editedAt);
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
function isCheck({ fields }: Change): boolean {
  return fields.every(({ name }) => name === 'assured_date' || name === 'assurer_email');
}

function changeOf(before: Service | undefined, after: Service): Change {
  if (!before) return creation('service', after.id);
  // When it changed is no change by itself.
  return update('service', after.id, { ...before, last_modified: after.last_modified }, after);
}
