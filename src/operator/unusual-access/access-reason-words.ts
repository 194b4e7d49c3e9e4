import type { AccessReason } from './unusual-access-store.ts';

/** Why access is unusual, on the list and in the email about it. */
export const accessReasonWords: Readonly<Record<AccessReason, string>> = {
  'own-name': 'Looked for somebody with their own last name',
  'own-email': 'Looked at somebody with the email address of their account',
  'many-misses': 'Searched for many people who were not found',
  'no-action': 'Opened many referrals of colleagues, and did nothing with them',
  'many-misses-in-week': 'Searched for many people who were not found, over the seven days until then',
  'no-action-in-week':
    'Opened many referrals of colleagues and did nothing with them, over the seven days until then',
  namesake: 'Referred somebody with their own first and last name',
  'number-tries': 'Tried an NHS number with too many names or dates of birth',
  'audit-opened': 'Opened the audit of referrals to restricted services',
  sensitive: 'Opened referrals to sensitive services, and gave no reason or did nothing with them',
};
