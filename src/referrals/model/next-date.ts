import { calendarDay, daysLater, localTime } from '../../library/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { type Draft, type Referral, todayIn } from './referral.ts';
import { addWorkingTime } from './working-time.ts';

/**
 * By when the service acts next after news at this moment, so that no open referral is forgotten. Every change
 * of the status or of the wait, and every message of the service, sets a new date. A place on the waiting list that is expected
 * sooner than the next check is looked at on its day.
 * @returns null where a referral is not open, or not answered yet: for the answer there is `due_at`
 */
export function nextDateAfter(
  { firstContactWorkingDays, waitingCheckDays, startedCheckDays }: Settings,
  { status, expected_date }: Pick<Referral | Draft, 'status' | 'expected_date'>,
  at: Date,
): string | null {
  const { day: today } = localTime(at);
  if (status === 'accepted') return todayIn(addWorkingTime(at, { days: firstContactWorkingDays }));
  if (status === 'in-progress') return daysLater(today, startedCheckDays).date;
  if (status !== 'on-hold') return null;
  const nextCheck = daysLater(today, waitingCheckDays);
  const place = calendarDay(expected_date ?? undefined);
  const isSooner = place && place.date >= today.date && place.date < nextCheck.date;
  return isSooner ? place.date : nextCheck.date;
}

/** By when something has to happen in an open referral: the answer, and after that what `nextDateAfter` says. */
export function nextDateOf({
  status,
  due_at,
  next_date,
}: Pick<Referral | Draft, 'status' | 'due_at' | 'next_date'>): string | null {
  return status === 'requested' && due_at ? todayIn(due_at) : next_date;
}
