/** What each job does, for somebody who is told that it failed. */
const jobWords: Readonly<Record<string, string>> = {
  'ask-tracking': 'Asking the NHS message exchange what became of a message',
  'call-webhook': 'Telling another system what happened (a webhook)',
  'collect-unmatched': 'Looking for unmatched messages and failed tasks',
  'delete-expired': 'Deleting what has expired',
  deliver: 'Sending a message about a referral',
  'deliver-new': 'Sending the first messages of new referrals',
  'erase-by-rule': 'Erasing old records that somebody approved',
  'follow-referrals': 'Counting for the reports',
  'handshake-with-exchange': 'The daily check of the connection to the NHS message exchange',
  'import-library': 'Importing services',
  'import-scheduled-feeds': 'Starting the scheduled imports',
  'make-offline-copies': 'Starting the copies for days without the site',
  'make-offline-copy': 'Making an organisation’s copy for days without the site',
  'poll-channels': 'Checking the mailbox of the NHS message exchange',
  'release-held': 'Sending messages that were held back for a while',
  'remind-of-requests': 'Reminding of requests about people’s records',
  'remind-operators': 'Reminding operators of what is open',
  'remind-overdue': 'Reminding of overdue referrals',
  'report-connection-failures': 'Telling operators that a connection fails',
  'report-unusual-access': 'The weekly look for unusual access to records',
  'restore-delivery-jobs': 'Finding messages that were not sent',
  'restore-mail-jobs': 'Finding emails that were not sent',
  'scan-again': 'Looking for viruses in files',
  'send-digests': 'Sending the daily emails with news',
  'send-mail': 'Sending an email or a text',
  simulate: 'Answering a referral of the test site by itself',
  'start-password-reset': 'Sending a link to choose a new password',
  'tell-news': 'Emailing news of referrals',
  'tell-of-deprecations': 'Telling owners of client systems of old calls',
  'tell-practices-news': 'Telling GP practices of news',
  'tell-reminders': 'Sending the reminders that people set themselves',
  'undo-import': 'Undoing an import of services',
  'update-prompts': 'Finding referrals that somebody has to act on',
  'update-responsiveness': 'Counting how fast services answer',
  'vacuum-erased': 'Removing erased records from the disk',
  'warn-of-expiring-agreements': 'Warning of sharing agreements that end',
  'watch-deliveries': 'Watching messages that nobody has confirmed',
  'watch-questionnaires': 'Watching questionnaires for worrying answers',
  'watch-self-referrals': 'Watching self-referrals that nobody has taken',
  'watch-unseen': 'Watching urgent referrals that nobody has opened',
};

/** @returns the name of a job that has no words, such as one of an earlier version, as it is. */
export function jobInWords(name: string): string {
  return Object.hasOwn(jobWords, name) ? jobWords[name]! : `The task “${name}”`;
}

export function hasJobWords(name: string): boolean {
  return Object.hasOwn(jobWords, name);
}
