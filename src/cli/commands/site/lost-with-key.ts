/** What a site loses with its key, for the help of the commands that go on under a new one. */
export const lostWithKey = [
  'Everybody is signed out. API keys and the secrets of webhooks must be created again, authenticator apps set up again.',
  'The history of delivery addresses keeps its dates and names, but no address in it can be read. Waiting emails are not sent.',
  'Older referrals are not found by the person’s details, nor noticed as duplicates. The audit from before cannot be verified:',
  'site check will say so.',
];
