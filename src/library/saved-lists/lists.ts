import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid, newId } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  defineProblem,
  forbidden,
  notFound,
  Problem,
  unprocessable,
  wrongInput,
} from '../../platform/problem/index.ts';
import {
  countLists,
  deleteSavedList,
  findList,
  insertList,
  isNameTaken,
  lockList,
  lockListsOf,
  type ServiceList,
  updateListName,
} from './saved-lists-store.ts';

export const maxLists = 100;

/**
 * Makes a list for the caller's organisation. Its name stays out of the audit, because people write personal details into
 * names.
 * @throws Problem `forbidden`, `unprocessable`, `too-many-lists`, `list-name-taken`.
 */
export async function createList(
  deps: ListDeps,
  caller: Caller,
  typed: string,
  ipAddress: string,
): Promise<ServiceList> {
  const organisationId = organisationOf(caller);
  const name = checkListName(typed);
  const at = deps.clock.now();
  const id = newId(at.getTime());
  return inTransaction(deps.db, async (trx) => {
    await lockListsOf(trx, organisationId);
    if ((await countLists(trx, organisationId)) >= maxLists) throw new Problem(tooManyLists);
    if (await isNameTaken(trx, organisationId, name, id)) throw new Problem(listNameTaken);
    await insertList(trx, { id, organisationId, name, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service-list.created',
      subject: { type: 'service-list', id },
    });
    return readOwnList(trx, caller, id);
  });
}

/** @throws Problem `not-found`, `forbidden`, `unprocessable`, `list-name-taken`. */
export async function renameList(
  deps: ListDeps,
  caller: Caller,
  { id, name: typed }: { id: string; name: string },
  ipAddress: string,
): Promise<ServiceList> {
  const name = checkListName(typed);
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const organisationId = organisationOf(caller);
    await lockListsOf(trx, organisationId);
    await lockOwnList(trx, caller, id);
    if (await isNameTaken(trx, organisationId, name, id)) throw new Problem(listNameTaken);
    await updateListName(trx, id, name, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service-list.renamed',
      subject: { type: 'service-list', id },
    });
    return readOwnList(trx, caller, id);
  });
}

/** Deletes the list; its services stay in the library. @throws Problem `not-found`, `forbidden`. */
export async function deleteList(
  deps: ListDeps,
  caller: Caller,
  id: string,
  ipAddress: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { services } = await lockOwnList(trx, caller, id);
    await deleteSavedList(trx, id);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'service-list.deleted',
      subject: { type: 'service-list', id },
      details: { services },
    });
  });
}

export const maxListNameLength = 100;

/** The name as it is stored. @throws Problem `unprocessable` if it is empty or too long. */
function checkListName(typed: string): string {
  const name = typed.replaceAll(/\s+/g, ' ').trim();
  const isUsable = name !== '' && [...name].length <= maxListNameLength && !name.includes('\0');
  if (isUsable) return name;
  const message = name === '' ? 'Enter a name' : `Enter a name of at most ${maxListNameLength} characters`;
  throw wrongInput(unprocessable, [{ pointer: '/name', message }]);
}

/** The caller's organisation. @throws Problem `forbidden` if the account belongs to none. */
export function organisationOf({ organisation }: Caller): string {
  if (organisation) return organisation.id;
  throw new Problem(forbidden, 'Lists are kept by organisations, and your account belongs to none.');
}

/** @throws Problem `not-found` (also for another organisation's list), `forbidden`. */
export async function readOwnList(db: Db, caller: Caller, id: string): Promise<ServiceList> {
  return requireList(isUuid(id) ? await findList(db, organisationOf(caller), id) : undefined);
}

/** As {@link readOwnList}, locked until the transaction ends, so that its limit can be checked. */
export async function lockOwnList(trx: Trx, caller: Caller, id: string): Promise<ServiceList> {
  return requireList(isUuid(id) ? await lockList(trx, organisationOf(caller), id) : undefined);
}

function requireList(list: ServiceList | undefined): ServiceList {
  if (!list) throw new Problem(notFound, 'Your organisation has no such list.');
  return list;
}

const listNameTaken = defineProblem({
  type: 'list-name-taken',
  status: 409,
  title: 'Your organisation has a list of this name',
  detail: 'Choose another name.',
});
const tooManyLists = defineProblem({
  type: 'too-many-lists',
  status: 409,
  title: 'The organisation has reached its limit of lists',
  detail: 'Delete one first.',
});
export const listFull = defineProblem({
  type: 'list-full',
  status: 409,
  title: 'The list has reached its limit of services',
  detail: 'Remove a service first, or create another list.',
});

export type ListDeps = Pick<Platform, 'db' | 'clock'>;
