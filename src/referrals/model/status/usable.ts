import { Problem } from '../../../platform/problem/index.ts';
import { referralErased, referralHeld, referralRestricted, wrongStatusProblem } from '../problems.ts';
import { type Draft, isSent, openStatuses, type Referral } from '../referral.ts';

type RecordLimits = Pick<Referral | Draft, 'restrictedAt' | 'erasedAt'>;

/** Whether the two sides may work with the referral. */
export function isUsable({ restrictedAt, erasedAt }: RecordLimits): boolean {
  return restrictedAt === null && erasedAt === null;
}

/** Whether messages about the referral may be sent. */
export function mayBeSent(referral: RecordLimits & Pick<Referral | Draft, 'deathReportedAt'>): boolean {
  return isUsable(referral) && referral.deathReportedAt === null;
}

/** @throws Problem `referral-erased`. */
export function requireNotErased({ erasedAt }: Pick<RecordLimits, 'erasedAt'>): void {
  if (erasedAt !== null) throw new Problem(referralErased, 'Only its reference, service and dates are left.');
}

/** @throws Problem `referral-restricted`, `referral-erased`. */
export function requireUsable({ restrictedAt, erasedAt }: RecordLimits): void {
  requireNotErased({ erasedAt });
  if (restrictedAt !== null) throw new Problem(referralRestricted);
}

/** @throws Problem `wrong-state`, with what to do `instead`. */
export function requireOpen(referral: Referral | Draft, instead = ''): Referral {
  if (isSent(referral) && openStatuses.includes(referral.status)) return referral;
  throw wrongStatusProblem(referral.status, openStatuses, { hint: instead });
}

/** @throws Problem `referral-held`. */
export function requireNotHeld({ legalHoldAt }: Pick<Referral | Draft, 'legalHoldAt'>): void {
  if (legalHoldAt !== null) throw new Problem(referralHeld, heldInWords);
}

/** Can be sent to the person as it is. */
export const heldInWords =
  'This record has to be kept for now, because it may be needed for a legal claim, an inquest or an inquiry. The right to erasure does not apply meanwhile (UK GDPR, article 17(3)(e)). You can complain to the Information Commissioner: ico.org.uk.';
