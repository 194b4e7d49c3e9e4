import { dayMs } from '../../platform/durations.ts';
import type { PresentedReferral } from '../model/presentation/present.ts';

// What lists, forms and the page of a referral say of it alike.

/** In a draft, parts of the name may be missing. */
export function patientName(referral: PresentedReferral): string | undefined {
  const patient = 'patient' in referral ? referral.patient : undefined;
  return patient && [patient.given_name, patient.family_name].filter(Boolean).join(' ');
}

/** A day such as 2026-11-23, and how far it is: “in 3 days”, “2 days overdue”. */
export function dueInWords(date: string, today: string): { date: string; left: string } {
  const days = Math.round((Date.parse(date) - Date.parse(today)) / dayMs);
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  const left = days === 0 ? 'today' : days > 0 ? `in ${count}` : `${count} overdue`;
  return { date, left };
}
