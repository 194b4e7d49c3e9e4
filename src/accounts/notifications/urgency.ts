import { lowerFirst } from '../../platform/first-letter.ts';

/** A referral that an email is about. */
export type MailedReferral = { readonly id: string; readonly reference: string; readonly isUrgent: boolean };

/** In the order of every email: the urgent ones first, then the oldest. Ids begin with the time of creation. */
export function urgentFirst<Each extends Omit<MailedReferral, 'reference'>>(
  referrals: readonly Each[],
): Each[] {
  const rank = ({ id, isUrgent }: Each) => `${isUrgent ? 0 : 1} ${id}`;
  return referrals.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** What an email calls a referral. It must not say who it is about. */
export function referenceInWords({ reference, isUrgent }: Omit<MailedReferral, 'id'>): string {
  return isUrgent ? `${reference} (urgent)` : reference;
}

/** The heading of an email about these referrals, with how many of them are urgent. */
export function headingWithUrgency(
  heading: string,
  referrals: readonly Pick<MailedReferral, 'isUrgent'>[],
): string {
  const urgent = referrals.filter(({ isUrgent }) => isUrgent).length;
  if (urgent === 0 || /\burgent\b/i.test(heading)) return heading;
  return urgent === referrals.length ? `Urgent: ${lowerFirst(heading)}` : `${heading} (${urgent} urgent)`;
}
