import { listOperators } from '../accounts/index.ts';
import { localTime } from '../platform/clock/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { mailPeople } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { lockDesk, setToldClosed } from './desk-store.ts';
import { calledTooLongAgo, deskState } from './model.ts';
import { markOverdue } from './self-referrals-store.ts';

/**
 * The `watch-self-referrals` job: emails the owner and the deputy when nobody has rung a person in time, and operators too
 * when nobody can refer themselves any more. It tells each once, and names nobody.
 */
export async function watchSelfReferrals(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  const { baseUrl } = deps.settings;
  await inTransaction(deps.db, async (trx) => {
    const desk = await lockDesk(trx);
    if (!desk) return;
    const people = [desk.owner.email, desk.deputy.email];
    const overdue = await markOverdue(trx, {
      today: localTime(at).day.date,
      calledBefore: calledTooLongAgo(at),
      at,
    });
    if (overdue > 0)
      await mailPeople(trx, deps, 'reminder', {
        to: people,
        subject: 'People wait for your call',
        paragraphs: [
          `People who referred themselves, and whom nobody has rung by the day that the page told them, or for whom nobody has done anything for five days: ${overdue}.`,
          `Ring them, or settle what is done:\n\n${baseUrl}/self-referrals`,
        ],
      });
    const state = deskState(desk, at);
    if (state === 'open' && desk.toldClosedAt) await setToldClosed(trx, null);
    if (state === 'open' || state === 'off' || desk.toldClosedAt || !deps.settings.selfReferral) return;
    const operators = await listOperators(trx);
    await mailPeople(trx, deps, 'reminder', {
      to: [...new Set([...people, ...operators.map(({ email }) => email)])],
      subject: 'Nobody can refer themselves now',
      paragraphs: [
        `The page on which people refer themselves has closed by itself: ${reasons[state]}. It opens again once that is over.`,
        `Those who wait:\n\n${baseUrl}/self-referrals`,
        `For operators:\n\n${baseUrl}/operator/self-referrals`,
      ],
    });
    await setToldClosed(trx, at);
  });
}

const reasons = {
  overdue: 'somebody has waited for more than five days without a call',
  full: 'too many people wait',
  unattended: 'the owner or the deputy can no longer sign in',
} as const;
