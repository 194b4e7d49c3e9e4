import { Problem } from '../../platform/problem/index.ts';
import { referralErased, referralRestricted } from '../problems.ts';
import type { Draft, Referral } from '../referral.ts';

type Record = Pick<Referral | Draft, 'restrictedAt' | 'erasedAt'>;

/** Whether anybody may work with what a referral says. */
export function isUsable({ restrictedAt, erasedAt }: Record): boolean {
  return restrictedAt === null && erasedAt === null;
}

/** @throws Problem `referral-restricted`, `referral-erased`. */
export function requireUsable({ restrictedAt, erasedAt }: Record): void {
  if (erasedAt !== null) throw new Problem(referralErased, 'Only its reference, service and dates are left.');
  if (restrictedAt !== null)
    throw new Problem(referralRestricted, 'Ask the operator of the site why, and when that ends.');
}
