import type { Caller } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import { forbidden, notFound, Problem } from '../../platform/problem/index.ts';
import { findList, lockList, type ServiceList } from './store.ts';

/** The organisation whose lists a caller keeps. @throws Problem `forbidden` where the account belongs to none. */
export function organisationOf({ organisation }: Caller): string {
  if (organisation) return organisation.id;
  throw new Problem(forbidden, 'Lists are kept by organisations, and your account belongs to none.');
}

/** @throws Problem `not-found`, also for a list of another organisation, and `forbidden`. */
export async function readOwnList(db: Db, caller: Caller, id: string): Promise<ServiceList> {
  return orNotFound(isUuid(id) ? await findList(db, organisationOf(caller), id) : undefined);
}

/** The same, locked until the transaction ends: limits are held against what is there. */
export async function lockOwnList(trx: Trx, caller: Caller, id: string): Promise<ServiceList> {
  return orNotFound(isUuid(id) ? await lockList(trx, organisationOf(caller), id) : undefined);
}

function orNotFound(list: ServiceList | undefined): ServiceList {
  if (!list) throw new Problem(notFound, 'Your organisation has no such list.');
  return list;
}
