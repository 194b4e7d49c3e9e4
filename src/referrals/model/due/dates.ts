import { localTime } from '../../../platform/clock/index.ts';
import { dayMs } from '../../../platform/durations.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { addWorkingTime } from './working-time.ts';

/** The day in London, such as 2026-11-23. */
export function londonDate(now: Date): string {
  return localTime(now).day.date;
}

/** That many times 24 hours later. For days of the calendar, see `daysLater`. */
export function addDaysOf24Hours(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs);
}

/** When the wait began: for a referral first made on paper, that day. */
export function waitsSince({ made_at }: { made_at?: string | undefined }, sentAt: Date): Date {
  return made_at === undefined ? sentAt : new Date(made_at);
}

/**
 * The day on which the person agreed, for how old they were then: for a referral first made on paper, the day of the paper. A day that
 * cannot be is refused as such, and does not count here.
 */
export function dayOfAgreement(content: { made_at?: string | undefined }, sentAt: Date): string {
  const agreedAt = waitsSince(content, sentAt);
  const canBe = agreedAt <= sentAt && agreedAt > addDaysOf24Hours(sentAt, -365);
  return londonDate(canBe ? agreedAt : sentAt);
}

/** When the service should have answered a referral that is sent now. */
export function dueAt(settings: Settings, urgency: 'routine' | 'urgent', at: Date): Date {
  const days = urgency === 'urgent' ? settings.dueDaysUrgent : settings.dueDaysRoutine;
  return addWorkingTime(settings, at, { days });
}

/** Whether the service should have answered, or acted, by now. */
export function isOverdue(
  { status, due_at, next_date }: { status: string; due_at: Date | null; next_date: string | null },
  now: Date,
): boolean {
  if (status === 'requested') return due_at !== null && due_at < now;
  return next_date !== null && next_date < londonDate(now);
}
