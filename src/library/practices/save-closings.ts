import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { type Closing, saveClosingDates } from './practices-store.ts';

/**
 * Saves closing dates, and queues the job that finds an owner for each open referral that names one of these practices.
 * @param at the time of the import, the same for all of its batches
 * @returns how many practices changed that this import had not changed before
 */
export async function saveClosings(trx: Trx, closings: readonly Closing[], at: Date): Promise<number> {
  const { changed, newlyChanged } = await saveClosingDates(trx, closings, at);
  if (changed > 0) await addJobs(trx, 'update-prompts', [{}]);
  return newlyChanged;
}
