import { type Caller, findAccountNames } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { keyCursor, readKeyCursor } from '../../../platform/http/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import { listAddressChanges } from '../../channels/address-history.ts';
import { readForEdit } from '../edit-service.ts';
import { findStoredService } from '../edit-service-store.ts';
import { listServiceChanges } from './history-store.ts';

/**
 * Who changed what about a service, the newest first. Operators can also read the history of a deleted service. The first
 * page includes the changes of delivery addresses.
 * @throws Problem `not-found`, `forbidden`, `bad-request` for a cursor that is not ours.
 */
export async function listHistory(
  { db, secrets }: Pick<Platform, 'secrets'> & { db: Db },
  caller: Caller,
  { id, cursor, limit }: { id: string; cursor?: string | undefined; limit: number },
) {
  const before = readKeyCursor(cursor, /^\d{1,15}$/);
  const isDeleted = caller.roles.includes('operator') && (await findStoredService(db, id)) === undefined;
  if (!isDeleted) await readForEdit(db, caller, id);
  const changes = await listServiceChanges(db, id, {
    before: before === undefined ? undefined : Number(before),
    limit: limit + 1,
  });
  if (isDeleted && changes.length === 0)
    throw new Problem(notFound, 'The library has no service with this id.');
  const shown = changes.slice(0, limit);
  const accountIds = new Set(shown.flatMap(({ accountId }) => accountId ?? []));
  const names = await findAccountNames(db, [...accountIds]);
  return {
    items: shown.map(({ number: _, at, accountId, ...change }) => ({
      ...change,
      at: at.toISOString(),
      account: accountId === null ? null : { id: accountId, name: names.get(accountId) ?? null },
    })),
    address_changes:
      before === undefined
        ? (await listAddressChanges({ db, secrets }, { serviceId: id })).map(presentAddressChange)
        : [],
    next_cursor: changes.length > limit ? keyCursor(String(shown.at(-1)!.number)) : null,
  };
}

function presentAddressChange({ id, at, channel, what, from, to, by }: AddressChange) {
  return {
    id,
    at: at.toISOString(),
    name: channel,
    action: what,
    previous_value: from,
    replacement_value: to,
    changed_by: by,
  };
}

type AddressChange = Awaited<ReturnType<typeof listAddressChanges>>[number];
