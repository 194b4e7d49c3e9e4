import { isMailAddress } from '../../platform/mail/index.ts';
import type { FieldError } from '../../platform/problem/index.ts';
import { cleanText, isPlainLine } from '../../platform/visible-text.ts';

/**
 * An operator runs the site, a referrer makes referrals, a provider works for an organisation that receives them, a manager reads
 * the reports of the site and sees no referral.
 */
export const roles = ['operator', 'referrer', 'provider', 'manager'] as const;
export type Role = (typeof roles)[number];

export type Organisation = {
  id: string;
  name: string;
  odsCode: string | null;
  /** The organisation in the library, whose services the providers here answer for. */
  libraryOrganizationId: string | null;
};

export type Account = {
  id: string;
  email: string;
  name: string;
  /** What the holder was called here, and the addresses that they had, before they were changed. */
  formerNames: string[];
  formerEmails: string[];
  /** What the person is, such as “link worker”, and where others can ask: for letters, pages and the API. */
  jobTitle: string | null;
  telephone: string | null;
  roles: Role[];
  organisation: Organisation | null;
  hasApiAccess: boolean;
  /** A system and not a person: see `accounts/systems`. Nobody signs in as it. */
  isSystem: boolean;
  /** The person who looks after a system; null while nobody does, and for people. */
  ownerId: string | null;
  disabledAt: Date | null;
  createdAt: Date;
};

/** The name that others read. In a letter, a history or the audit, a system must not look like a person. */
export function fullName({
  name,
  isSystem,
  organisation,
}: Pick<Account, 'name' | 'isSystem' | 'organisation'>): string {
  return isSystem ? `${organisation!.name}’s system ${name}` : name;
}

/** @returns what is wrong with a new account, field by field. */
export function checkNewAccount(account: { email: string; name: string }): FieldError[] {
  return [...checkEmailAddress(account.email), ...checkDisplayName(account.name)];
}

/** @returns what is wrong with an email address; spaces around it do not count. */
export function checkEmailAddress(typed: string): FieldError[] {
  if (isMailAddress(typed.trim())) return [];
  return [
    { pointer: '/email', message: 'Enter an email address in the right format, like name@example.org' },
  ];
}

/** @returns what is wrong with a job title or a telephone number; either may be empty. */
export function checkContactDetails(typed: { jobTitle: string; telephone: string }): FieldError[] {
  const jobTitle = typed.jobTitle.trim();
  const errors: FieldError[] = [];
  if (jobTitle.length > 80)
    errors.push({ pointer: '/job_title', message: 'must have at most 80 characters' });
  else if (!isPlainLine(jobTitle))
    errors.push({
      pointer: '/job_title',
      message: 'must be one line, without invisible characters',
    });
  if (typed.telephone.trim() !== '' && !/^\+?[\d ()-]{5,25}$/.test(typed.telephone.trim()))
    errors.push({
      pointer: '/telephone',
      message: 'Enter a telephone number, like 01632 960001 or +44 1632 960001',
    });
  return errors;
}

/** @returns what is wrong with the name of a person or a system; spaces around it do not count. */
export function checkDisplayName(typed: string): FieldError[] {
  const name = typed.trim();
  const error = (message: string) => [{ pointer: '/name', message }];
  if (cleanText(name) === '') return error('Enter a name');
  if (name.length > 120) return error('must have at most 120 characters');
  if (!isPlainLine(name)) return error('must be one line, without invisible characters');
  return [];
}
