import { tellPeople } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { londonDate } from '../model/due/dates.ts';
import { takeDueReminders } from './casework-store.ts';

/** How many reminders share a transaction. */
const batchSize = 500;

/** The `tell-reminders` job: each morning, emails everybody whose reminders are due, in one email for up to 500 of them. */
export async function tellReminders(deps: Platform): Promise<void> {
  const now = deps.clock.now();
  for (;;) {
    const toldCount = await inTransaction(deps.db, async (trx) => {
      const due = await takeDueReminders(trx, { today: londonDate(now), now, limit: batchSize });
      const byPerson = Map.groupBy(due, ({ accountId }) => accountId);
      await tellPeople(
        trx,
        deps,
        [...byPerson].map(([id, reminders]) => ({
          kind: 'reminder' as const,
          people: [{ id, email: reminders[0]!.email }],
          referrals: reminders.map(({ referralId, reference, isUrgent, isDangerous }) => ({
            id: referralId,
            reference,
            isUrgent,
            isDangerous,
          })),
        })),
      );
      return due.length;
    });
    if (toldCount < batchSize) return;
  }
}
