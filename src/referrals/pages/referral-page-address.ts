import { successBanner } from '../../platform/html/index.ts';

/** The path of a referral’s page. */
export function referralPagePath(id: string): string {
  return `/referrals/${encodeURIComponent(id)}`;
}

/**
 * The success message that the page shows after a form was sent; its code is in the page’s address. It says what was done and, where
 * the panel beside it does not, what comes next: at most two short sentences.
 */
export const referralSuccess = successBanner({
  sent: 'The referral was sent.',
  draft: 'The draft was saved. Continue now, or find it later under Referrals, Drafts.',
  'seen-to': 'Saved: the person was helped another way. Nobody is reminded of it again.',
  correct: 'The corrections were saved. Everybody who has to know is told.',
  transferred: 'The referral is with the other service now, and the referrer is told.',
  agreement: 'The agreement was saved. Next: tell those who have a letter, under “Who has been told”.',
  'things-have-changed': 'The other side is told, and is asked to confirm that they have read it.',
  died: 'Nothing more is sent about the person’s referrals. Next: confirm the death for each of them.',
  'died-confirmed': 'The referral has ended, because the person has died.',
  'died-undone': 'The referral is as before. Everybody who was told gets a letter that it was a mistake.',
  'ending-undone': 'The referral is open again. Next: telephone the service, so that it is not ended again.',
  'ending-confirmed': 'Thank you. If the person agreed to that, their GP practice is told now.',
  prompt: 'Saved. Nobody is reminded of it again.',
  assigned: 'The referral was assigned.',
  unassigned: 'The referral is assigned to nobody now.',
  goals: 'The goals were saved. Everybody who has to know is told.',
  measure: 'The measure was added.',
  questionnaire: 'The answers were saved.',
  'page-sent':
    'The link is sent, unless another record makes it unsafe. Next: ask the person whether it came.',
  'page-ended': 'The links to the person’s page have ended. Nobody can open it now.',
  reached: 'The contact was logged.',
  'reached-waiting': 'The contact was logged. Start when there is a place.',
  'not-reached': 'The contact was logged. Next: try again another time, or message the referrer.',
  appointment: 'The appointment was booked.',
  'appointment-cancelled': 'The appointment was cancelled.',
  note: 'The note was saved. Only your organisation can read it.',
  reminder: 'The reminder was set. On that day the referral is under “Needs action”.',
  'reminder-removed': 'The reminder was removed.',
  read: 'You have confirmed that you have read what changed.',
  accept: 'You accepted the referral, and the referrer is told.',
  reject: 'You declined the referral, and the referrer is told.',
  'decline-undone': 'You took back the decline, and the referrer is told that it was a mistake.',
  start: 'You started to support the person, and the referrer is told.',
  hold: 'The person is on your waiting list. Start when there is a place.',
  'change-wait': 'The wait was changed, and the referrer is told.',
  complete: 'The referral is complete, and the referrer is told.',
  fail: 'The referral was closed without completing, and the referrer is told.',
  cancel: 'The referral was cancelled. Next: tell the person.',
  'withdraw-as-error':
    'It is marked as sent by mistake. If the person still needs help, make a new referral.',
  message: 'Your message was sent. The answer appears here.',
  answered: 'Your answer was sent, and the other organisation is told.',
  question: 'The question needs no answer now.',
  file: 'The file was attached. The other organisation can see it now.',
  'file-unscanned': 'The file was attached, but not scanned for viruses. The other organisation sees that.',
  'file-removed': 'The file was removed. Anybody who had opened it is asked to delete their copies.',
  opened: 'You can see everything for an hour. The referrer’s organisation can read your reason.',
  'gp-action': 'It is marked as done by hand. The practice is not asked for it again.',
});
