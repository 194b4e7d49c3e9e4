import type { Caller } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { servicePath } from '../../view/links.ts';
import { mayEdit } from '../may-edit.ts';
import { findCapacity } from '../settings-store.ts';

/** The waiting list comes first: the Enter key in the field of the waiting time presses the first button. */
export const capacityWords: Readonly<Record<string, string>> = {
  waitlist: 'Has a waiting list',
  capacity: 'Has room',
  'no-capacity': 'Is full',
};

/** What a service's page offers those who keep its entry; nothing for others. */
export async function manageView(
  db: Db,
  caller: Caller | undefined,
  service: { id: string; organization: { id: string } | undefined },
) {
  if (!caller || !mayEdit(caller, service.organization?.id ?? null)) return undefined;
  const capacity = await findCapacity(db, service.id);
  return {
    path: servicePath(service.id),
    waitingTime: capacity?.waiting_time ?? '',
    choices: Object.entries(capacityWords).map(([value, text]) => ({
      value,
      text,
      current: value === capacity?.status,
    })),
  };
}
