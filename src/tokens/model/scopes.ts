/**
 * What a key may be made for. Each call of the API declares the one scope that it needs; the role of the account must
 * allow the call as well.
 */
export const scopes = [
  'library:read',
  'library:write',
  'referrals:read',
  'referrals:write',
  'webhooks',
  'channels',
  'deliveries',
  'records',
  'reports:read',
  'simulator',
] as const;
export type Scope = (typeof scopes)[number];

/** The scopes in words, for pages and the reference. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  'library:read': 'Read services, GP practices and your organisation’s lists',
  'library:write': 'Change services, their availability, and your organisation’s lists',
  'referrals:read': 'Read referrals, their messages, files and letters',
  'referrals:write': 'Make, answer and change referrals, and send messages about them',
  webhooks: 'Manage webhooks and read events',
  channels: 'See and change where referrals and letters are sent',
  deliveries: 'Operators only: deal with undelivered messages',
  records:
    'Open a referral with a reason; for operators also restrict people’s records, put them on legal hold, copy and erase them',
  'reports:read': 'Read the figures of the site or of your organisation, without anything personal',
  simulator: 'Simulate the answers of services, on a test site',
};
