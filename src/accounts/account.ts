import { defineProblem, type FieldError, Problem, unprocessable } from '../platform/problem/index.ts';

/** operator runs the site; referrer makes referrals; provider is staff of a receiving organisation. */
export const roles = ['operator', 'referrer', 'provider'] as const;
export type Role = (typeof roles)[number];

export type Organisation = {
  id: string;
  name: string;
  odsCode: string | null;
  /** The library's organisation whose services this one's providers answer for. */
  libraryOrganizationId: string | null;
};

export type Account = {
  id: string;
  email: string;
  name: string;
  roles: Role[];
  organisation: Organisation | null;
  apiAccess: boolean;
  keyEpoch: number;
  disabledAt: Date | null;
  createdAt: Date;
};

export const emailTaken = defineProblem({
  type: 'email-taken',
  status: 409,
  title: 'There is an account with this e-mail address already',
});
export const noSuchAccount = defineProblem({
  type: 'no-such-account',
  status: 404,
  title: 'There is no such account',
});

const shortestPassword = 15;
const longestPassword = 256;

/** Addresses are compared without regard to case; this is the one form in which they are stored. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** @throws Problem 422 saying what is wrong with the new account, field by field. */
export function checkNewAccount(account: { email: string; name: string; password: string }): void {
  const errors: FieldError[] = [];
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(account.email) || account.email.length > 254) {
    errors.push({ pointer: '/email', message: 'must be an e-mail address such as name@example.org' });
  }
  const name = account.name.trim();
  if (name.length === 0 || name.length > 120)
    errors.push({ pointer: '/name', message: 'must have 1 to 120 characters' });
  errors.push(...passwordErrors(account.password));
  if (errors.length > 0) throw new Problem(unprocessable, 'The account was not made.', { errors });
}

/** Length is what makes a password hard to guess; rules about its characters only make it hard to remember. */
export function passwordErrors(password: string): FieldError[] {
  const length = [...password].length;
  if (length >= shortestPassword && length <= longestPassword) return [];
  return [
    { pointer: '/password', message: `must have ${shortestPassword} to ${longestPassword} characters` },
  ];
}
