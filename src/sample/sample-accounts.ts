import { filterEnabledEmails, type NewAccount } from '../accounts/index.ts';
import type { Db } from '../platform/database/index.ts';

/**
 * Three of the four roles of a site. The fourth is the manager, who sees only figures. The organisations are those of
 * sample/library.ndjson and practices.csv.
 */
export const sampleAccounts: readonly (Omit<NewAccount, 'password'> & { description: string })[] = [
  {
    email: 'operator@example.org',
    name: 'Olwen Operator',
    roles: ['operator'],
    organisation: { name: 'Sarrowby Community Referrals' },
    hasApiAccess: true,
    description: 'runs the site',
  },
  {
    email: 'referrer@example.org',
    name: 'Rashid Referrer',
    roles: ['referrer'],
    organisation: { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' },
    hasApiAccess: true,
    description: 'makes referrals, at Infirmary Lane Surgery',
  },
  {
    email: 'provider@example.org',
    name: 'Petra Provider',
    roles: ['provider'],
    organisation: {
      name: 'The Weir House Trust',
      libraryOrganizationId: 'b49dadd1-f98b-448d-b2ae-9895f5cd6f89',
    },
    hasApiAccess: true,
    description: 'answers referrals, at The Weir House Trust',
  },
];

/** The email addresses of those sample accounts that are not disabled. */
export function listEnabledSampleAccounts(db: Db): Promise<string[]> {
  return filterEnabledEmails(
    db,
    sampleAccounts.map(({ email }) => email),
  );
}
