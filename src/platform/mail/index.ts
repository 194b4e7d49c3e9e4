export { addMailFailureHeader } from './announce-failure.ts';
export {
  type CapturedMail,
  findCapturedMail,
  listCapturedMails,
  type MailRecipients,
} from './captured-mails.ts';
export { checkMailServer, isMailStuck } from './check-mail-server.ts';
export { canonicalEmail, isMailAddress, type Mail, mailAddressIn } from './mail.ts';
export { countFailedMails, deleteOldMails, listFailedMails } from './mails-store.ts';
export { type MailToPeople, mailPeople, queueMails, restoreMailJobs } from './queue-mail.ts';
export { sendMail } from './send-mail.ts';
export { mailHeaders, mailServerReceiver, type SendResult, sendBySmtp } from './smtp.ts';
