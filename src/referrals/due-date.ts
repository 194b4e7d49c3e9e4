import type { Settings } from '../platform/settings/index.ts';
import type { Referral } from './referral.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** When the service should have answered a referral that is sent now. */
export function dueAt(settings: Settings, urgency: Referral['urgency'], at: Date): Date {
  const days = urgency === 'urgent' ? settings.dueDaysUrgent : settings.dueDaysRoutine;
  return daysAfter(at, days);
}

export function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs);
}
