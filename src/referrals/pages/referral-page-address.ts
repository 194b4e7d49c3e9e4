import { successBanner } from '../../platform/html/index.ts';

/** The path of a referral’s page. */
export function referralPagePath(id: string): string {
  return `/referrals/${encodeURIComponent(id)}`;
}

/** The success message that the page shows after a form was sent; its code is in the page’s address. */
export const referralSuccess = successBanner({
  sent: 'The referral was sent. This page shows how far it has come.',
  draft: 'The draft was saved. Continue now, or find it later under Referrals, Drafts.',
  'seen-to': 'You have said that the person was helped another way. This referral no longer waits for you.',
  correct: 'The corrections were saved, and everybody who has to know is told.',
  transferred:
    'The referral is now with the other service. The referrer is told at once, and the due date stays as it was.',
  agreement:
    'What the person agrees to was saved. “Who has been told” shows who has a letter already: tell them yourself.',
  'things-have-changed':
    'The other side is told what has changed, and is asked to confirm that they have read it.',
  died: 'Nothing is sent about your referrals of this person now. Confirm it for each referral. If it was a mistake, your organisation can take it back here.',
  'died-confirmed': 'The referral has ended, because the person has died.',
  'died-undone':
    'The referral is as it was before. Everybody who was told of the death gets a letter that says it was a mistake.',
  'ending-undone':
    'The referral is open again, and the service is told. Telephone them, so that it is not ended by mistake a second time.',
  'ending-confirmed': 'Thank you. If the person agreed that their GP practice is told, it is told now.',
  prompt: 'You have dealt with it. Nobody is told of it again.',
  assigned: 'It was assigned. Your colleagues see it here and in the list.',
  unassigned: 'It is assigned to nobody of your organisation now.',
  goals: 'The goals were saved, and everybody who has to know is told.',
  measure: 'The measure was added.',
  questionnaire:
    'The answers were saved. Next: look under “Measures” whether one of them needs somebody to look into it.',
  'page-sent':
    'The link is sent now, unless another record makes it unsafe. Ask the person whether an email came that says “You have a message”.',
  'page-ended': 'The links to the person’s page have ended. Nobody can open it now.',
  reached: 'The contact was logged.',
  'reached-waiting': 'The contact was logged. Start when there is a place.',
  'not-reached':
    'The contact was logged. Next: try again at another time. If you cannot reach the person, message the referrer.',
  appointment: 'The appointment was booked.',
  'appointment-cancelled': 'The appointment was cancelled.',
  note: 'The note was saved. Only your organisation can read it.',
  reminder:
    'The reminder was set. On that day the referral is under “Needs action”, and you get an email if you want that.',
  'reminder-removed': 'The reminder was removed.',
  read: 'You have confirmed that you have read what changed.',
  accept: 'You accepted the referral, and the referrer is told.',
  reject: 'You declined the referral, and the referrer is told.',
  'decline-undone':
    'You took back the decline. The referrer is told that it was a mistake, and the GP practice is told nothing of it.',
  start:
    'You started to support the person, and the referrer is told. Complete the referral when the support ends, with what changed for the person.',
  hold: 'The person is on your waiting list, and the referrer is told. Start when there is a place.',
  'change-wait': 'The waiting list was changed, and the referrer is told. Start when there is a place.',
  complete:
    'The referral is complete, and the referrer is told. “Who has been told” says whether the GP practice has the outcome.',
  fail: 'The referral was closed without completing, and the referrer is told.',
  cancel: 'The referral was cancelled, and the other organisation is told. Next: tell the person.',
  'withdraw-as-error':
    'It was withdrawn, and a service that has it is told. Next: if the person still needs help, make a new referral.',
  message: 'Your message was sent. Next: the other organisation is told, and its answer appears here.',
  answered: 'Your answer was sent, and the other organisation is told.',
  question: 'You have said that the question needs no answer. It no longer waits for you.',
  file: 'The file was attached. The other organisation can see it now.',
  'file-unscanned':
    'The file was attached, and the other organisation can see it now. It was not scanned for viruses: the scanner did not answer and is asked again later, or a password keeps it out.',
  'file-removed':
    'The file was removed. The other organisation sees that there was one. If somebody there had opened it, the site has asked them to delete their copies.',
  opened: 'You can see the whole referral for an hour. The referrer’s organisation can read your reason.',
  'gp-action': 'It is marked as done by hand. The practice is not asked for it again.',
});
