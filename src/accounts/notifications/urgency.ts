import { lowerFirst } from '../../platform/first-letter.ts';

/** A referral that an email is about. */
export type MailedReferral = {
  readonly id: string;
  readonly reference: string;
  readonly isUrgent: boolean;
  /** A risk of serious harm, words of a crisis, or contact that is not safe. Emails call all of them “a risk of harm”. */
  readonly isDangerous?: boolean;
};

/** In the order of every email: the urgent ones and those with a risk first, then the oldest. Ids begin with the time of creation. */
export function urgentFirst<Each extends Omit<MailedReferral, 'reference'>>(
  referrals: readonly Each[],
): Each[] {
  const rank = ({ id, isUrgent, isDangerous }: Each) => `${isUrgent || isDangerous ? 0 : 1} ${id}`;
  return referrals.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** The reference by which an email names a referral. The email must not say whom it is about. */
export function referenceInWords({ reference, isUrgent, isDangerous }: Omit<MailedReferral, 'id'>): string {
  const marks = [...(isUrgent ? ['urgent'] : []), ...(isDangerous ? [withRisk] : [])];
  return marks.length > 0 ? `${reference} (${marks.join(', ')})` : reference;
}

const withRisk = 'with a risk of harm';

/** The heading of an email about these referrals, with how many of them are urgent, and how many are with a risk of harm. */
export function headingWithUrgency(
  heading: string,
  referrals: readonly Pick<MailedReferral, 'isUrgent' | 'isDangerous'>[],
): string {
  const total = referrals.length;
  const urgent = referrals.filter(({ isUrgent }) => isUrgent).length;
  const dangerous = referrals.filter(({ isDangerous }) => isDangerous).length;
  const needsNoUrgentMark = urgent === 0 || /\burgent\b/i.test(heading);
  const marks = [
    ...(needsNoUrgentMark || urgent === total ? [] : [`${urgent} urgent`]),
    ...(dangerous === 0 ? [] : [total === 1 ? withRisk : `${dangerous} ${withRisk}`]),
  ];
  const named = !needsNoUrgentMark && urgent === total ? `Urgent: ${lowerFirst(heading)}` : heading;
  return marks.length === 0 ? named : `${named} (${marks.join(', ')})`;
}
