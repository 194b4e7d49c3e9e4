import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { capacityInHistory } from '../editing/settings-store.ts';
import { lockForImport } from '../editing/store.ts';
import { type Change, update } from '../history/change.ts';
import { recordChanges } from '../history/store.ts';
import { findOlderRoom, saveCapacities } from './capacity-store.ts';
import type { ImportRun } from './import-run.ts';
import type { SaidService } from './service-row.ts';

type Said = Pick<SaidService, 'id' | 'capacity'>;

/** What becomes of the room of services that the library has, for its history. */
export async function changesOfRoom(trx: Trx, services: readonly Said[]): Promise<Change[]> {
  const said = new Map(services.map(({ id, capacity }) => [id, capacity]));
  const known = await findOlderRoom(trx, services);
  return known.map(({ id, status, waiting_time }) => {
    const { status: newStatus, waitingTime } = said.get(id)!;
    const before = capacityInHistory(status === null ? undefined : { status, waiting_time });
    return update('service', id, before, capacityInHistory({ status: newStatus, waiting_time: waitingTime }));
  });
}

/**
 * Saves nothing of services but their room: an edit made here stands against an older entry, and says nothing of the
 * room, which has a date of its own.
 */
export async function saveRoom({ db, author }: ImportRun, services: readonly Said[]): Promise<void> {
  if ((await findOlderRoom(db, services)).length === 0) return;
  await inTransaction(db, async (trx) => {
    await lockForImport(trx);
    await recordChanges(trx, author, await changesOfRoom(trx, services));
    await saveCapacities(trx, services, author.at);
  });
}
