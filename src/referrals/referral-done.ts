import { justDone } from '../platform/html/index.ts';

/** What a referral's page says after the form that made it. */
export const referralDone = justDone({
  sent: 'The referral was sent. This page shows how far it has come.',
  draft: 'The draft was saved.',
  'seen-to': 'You have said that the person was helped another way. This referral no longer waits for you.',
});
