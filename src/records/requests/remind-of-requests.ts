import { mailOperators } from '../../accounts/index.ts';
import { daysLater, localTime } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { countRequestsDue } from './requests-store.ts';

const remindDaysBefore = 7;

/**
 * The `remind-of-requests` job: emails every operator each morning while a request must be answered within a week, or a complaint
 * acknowledged today. Not only the owner, who may be away.
 */
export async function remindOfRequests(deps: Platform): Promise<void> {
  const { day } = localTime(deps.clock.now());
  const answerBy = daysLater(day, remindDaysBefore).date;
  await inTransaction(deps.db, async (trx) => {
    const due = await countRequestsDue(trx, { today: day.date, answerBy });
    if (due.answers + due.acknowledgements === 0) return;
    await mailOperators(trx, deps, 'record', {
      subject: 'Requests about records are due',
      paragraphs: [
        ...(due.answers > 0
          ? [`To be answered within ${remindDaysBefore} days, or overdue already: ${due.answers}.`]
          : []),
        ...(due.acknowledgements > 0 ? [`Complaints to be acknowledged now: ${due.acknowledgements}.`] : []),
        `Requests about records:\n\n${deps.settings.baseUrl}/operator/requests`,
        'You get this each morning until they are done.',
      ],
    });
  });
}
