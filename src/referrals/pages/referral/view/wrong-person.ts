import { hasOpenRisk } from '../../../model/attention/prompts.ts';
import type { HistoryDetails } from '../../../model/history-store.ts';
import type { FullReferral } from './full-referral.ts';

/** What both sides read in place of how to contact somebody who was never meant. */
export const contactOfWrongPerson =
  'Do not contact this person: the referral was sent by mistake and is about the wrong person, so their contact details are hidden.';

/** In the patient, and in the corrections of the history. */
const waysToContact = ['address', 'telephone', 'email', 'preferred_contact', 'carer'] as const;
const hiddenFields: ReadonlySet<string> = new Set([
  'contact',
  ...waysToContact.map((way) => `patient.${way}`),
]);

/** The side that is asked about an open risk may have to ring, and operators have to put the mistake right: for them the details stay. */
export function isContactHidden({ presented, sides }: Pick<FullReferral, 'presented' | 'sides'>): boolean {
  const { status, status_reason: reason } = presented;
  const isWrongPerson = status === 'entered-in-error' && reason?.code === 'wrong-person';
  return isWrongPerson && sides.length > 0 && !hasOpenRisk(presented);
}

/** The referral without how to contact the person, if it is about the wrong one. What people wrote to each other stays. */
export function withoutContactOfWrongPerson(full: FullReferral): FullReferral {
  const { presented, history } = full;
  if (!isContactHidden(full) || !('patient' in presented)) return full;
  const patient: Record<string, unknown> = { ...presented.patient };
  for (const way of waysToContact) delete patient[way];
  return {
    ...full,
    presented: {
      ...presented,
      patient,
      contact_elsewhere: [],
      changed_by_service: [],
    } as FullReferral['presented'],
    history: history.map((line) => ({
      ...line,
      details: line.details && withoutWaysToContact(line.details),
    })),
  };
}

function withoutWaysToContact(details: HistoryDetails): HistoryDetails {
  return { ...details, changes: details.changes.filter(({ field }) => !hiddenFields.has(field)) };
}
