import { isMailAddress } from '../../platform/mail/index.ts';
import { defineProblem, type FieldError } from '../../platform/problem/index.ts';

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
  title: 'There is an account with this email address already',
});
export const noSuchAccount = defineProblem({
  type: 'no-such-account',
  status: 404,
  title: 'There is no such account',
});

/** What is wrong with a new account, field by field. */
export function accountErrors(account: { email: string; name: string }): FieldError[] {
  const errors = emailErrors(account.email);
  const fault = nameFault(account.name);
  if (fault !== undefined) errors.push({ pointer: '/name', message: fault });
  return errors;
}

/** What is wrong with an email address, if anything; spaces around it are not counted. */
export function emailErrors(typed: string): FieldError[] {
  if (isMailAddress(typed.trim())) return [];
  return [
    { pointer: '/email', message: 'Enter an email address in the right format, like name@example.org' },
  ];
}

/** What is wrong with the name of a person, if anything; spaces around it are not counted. */
export function nameFault(typed: string): string | undefined {
  const name = typed.trim();
  if (name === '') return 'Enter a name';
  if (name.length > 120) return 'must have at most 120 characters';
  // A line end or another invisible character would let a name look like a part of a letter or a page.
  if (/\p{C}|\p{Zl}|\p{Zp}/u.test(name)) return 'must be one line, without invisible characters';
  return undefined;
}
