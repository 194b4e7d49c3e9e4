export { addMailFailureHeader } from './announce-failure.ts';
export {
  type CapturedMail,
  findCapturedMail,
  listCapturedMails,
  type MailRecipients,
} from './captured-mails.ts';
export { dropHeldMails, sendHeldMails } from './held-for-check.ts';
export { countWithheldText, mayText, textLimitReached, textPauseMs } from './limit-texts.ts';
export {
  canonicalEmail,
  isMailAddress,
  type Mail,
  type MailKind,
  mailAddressIn,
  mailboxOf,
  mailKinds,
} from './mail.ts';
export { isMailStuck, noteWhetherMailServerIsSet } from './mail-server-set.ts';
export {
  countFailedMails,
  countHeldMails,
  deleteOldMails,
  dropMailsOfLinks,
  type HeldMails,
  listFailedMails,
} from './mails-store.ts';
export { type MailToPeople, mailPeople, queueMails, queueText, restoreMailJobs } from './queue-mail.ts';
export { type MaySendAboutLink, sendMail } from './send-mail.ts';
export { mailHeaders, mailServerSystem, type SmtpResult, sendBySmtp } from './smtp.ts';
