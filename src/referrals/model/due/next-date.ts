import { calendarDay, daysLater, localTime } from '../../../platform/clock/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import type { Draft, Referral } from '../referral.ts';
import { dueAt, londonDate, waitsSince } from './dates.ts';
import { addWorkingTime, dayToAct, nearestWorkingDay } from './working-time.ts';

/**
 * The next date on which the service has to act, after news at `at`: a change of the status or of the wait, a contact that
 * reached the person, or once there was one, a message of the service. It is a working day: `dayToAct` says which.
 * - accepted: the first contact or appointment, and then the next check that something goes on
 * - in progress: the next check
 * - on the waiting list: the next check, or the day on which a place is expected
 * - requested, or ended: null; by when the service has to answer is in `due_at`
 */
export function nextDateAfter(
  settings: Settings,
  {
    status,
    expected_date,
    urgency,
    due_at,
    first_contact_at,
    content,
  }: Pick<Referral | Draft, 'status' | 'expected_date' | 'urgency' | 'due_at' | 'first_contact_at'> & {
    content: Pick<Referral['content'], 'appointments'>;
  },
  at: Date,
): string | null {
  const { firstContactWorkingDays, waitingCheckDays, urgentWaitingCheckDays, startedCheckDays } = settings;
  const { day: today } = localTime(at);
  const checkAfter = (days: number) => dayToAct(settings, daysLater(today, days), today).date;
  if (status === 'accepted') {
    if (first_contact_at !== null) return checkAfter(startedCheckDays);
    const appointment = calendarDay(nextAppointmentDay(content.appointments, at));
    if (urgency !== 'urgent' && appointment) {
      // Somebody can only say how it went once it was, so an appointment at a weekend is followed by a working day.
      const { date } = nearestWorkingDay(settings, appointment, 1);
      // Until a far appointment the person waits, and somebody checks as often as on a waiting list.
      const safetyCheck = checkAfter(waitingCheckDays);
      return date < safetyCheck ? date : safetyCheck;
    }
    const firstContact = addWorkingTime(settings, at, { days: firstContactWorkingDays });
    if (urgency !== 'urgent') return londonDate(firstContact);
    // An acceptance pushes nothing back: an urgent referral keeps its date if that is the earliest, unless it has passed.
    const urgentDates = [
      firstContact,
      dueAt(settings, 'urgent', at),
      ...(due_at && due_at >= at ? [due_at] : []),
    ];
    return londonDate(new Date(Math.min(...urgentDates.map(Number))));
  }
  if (status === 'in-progress') return checkAfter(startedCheckDays);
  if (status !== 'on-hold') return null;
  const nextCheck = checkAfter(
    urgency === 'urgent' ? Math.min(waitingCheckDays, urgentWaitingCheckDays) : waitingCheckDays,
  );
  // The place, if it is expected before the next check.
  const place = calendarDay(expected_date ?? undefined);
  if (!place || place.date < today.date) return nextCheck;
  const { date } = dayToAct(settings, place, today);
  return date < nextCheck ? date : nextCheck;
}

/**
 * The dates of an open referral after its urgency changes. What becomes urgent has to be answered, or acted on, within the days
 * of an urgent referral from now, and never later than before. What is routine after all is due as if it had been from the
 * beginning, so that nobody gains time by changing it to and fro.
 */
export function datesWithUrgency(
  settings: Settings,
  referral: Pick<Referral, 'status' | 'urgency' | 'due_at' | 'next_date' | 'requested_at' | 'content'>,
  urgency: Referral['urgency'],
  at: Date,
): Pick<Referral, 'due_at' | 'next_date'> {
  const { status, due_at, next_date, requested_at, content } = referral;
  if (urgency === referral.urgency) return { due_at, next_date };
  if (urgency === 'routine') {
    const isUnanswered = status === 'requested';
    const dueAsRoutine = dueAt(settings, 'routine', waitsSince(content, requested_at));
    return { due_at: isUnanswered ? dueAsRoutine : due_at, next_date };
  }
  const urgentlyDue = dueAt(settings, 'urgent', at);
  if (status === 'requested')
    return { due_at: due_at && due_at < urgentlyDue ? due_at : urgentlyDue, next_date };
  const urgentDay = londonDate(urgentlyDue);
  return { due_at, next_date: next_date !== null && next_date < urgentDay ? next_date : urgentDay };
}

/** By when something has to happen in an open referral: the answer, and after that what `nextDateAfter` says. */
export function nextDateOf({
  status,
  due_at,
  next_date,
}: Pick<Referral | Draft, 'status' | 'due_at' | 'next_date'>): string | null {
  return status === 'requested' && due_at ? londonDate(due_at) : next_date;
}

/** The day in London of the next appointment that is not cancelled; undefined if there is none. */
export function nextAppointmentDay(
  appointments: Referral['content']['appointments'],
  now: Date,
): string | undefined {
  const ahead = (appointments ?? [])
    .filter(({ at, cancelled }) => !cancelled && new Date(at) > now)
    .map(({ at }) => at)
    .sort();
  return ahead[0] === undefined ? undefined : londonDate(new Date(ahead[0]));
}
