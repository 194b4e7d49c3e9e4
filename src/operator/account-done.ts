import { justDone } from '../platform/html/index.ts';

/** What the page of an account says after one of its forms. */
export const accountDone = justDone({
  invited: 'The account was made, and the invitation is on its way.',
  'invited-again': 'A new invitation is on its way.',
  on: 'API access was switched on.',
  off: 'API access was switched off, and every access token of the account has ended.',
  disabled: 'The account was disabled.',
  enabled: 'The account was enabled.',
  email: 'The email address was changed, and both the old one and the new one are told.',
  roles: 'The roles were changed.',
  organisation: 'The organisation was changed.',
  'second-factors': 'The second factors were removed. The holder of the account gets an email about it.',
});
export type AccountDone = Parameters<typeof accountDone.path>[1];
