export { type CapturedMail, findCapturedMail, listCapturedMails, type MailsTo } from './captured-mails.ts';
export { checkMailServer } from './check-mail-server.ts';
export { deleteOldMails } from './delete-old-mails.ts';
export { findFailedMails } from './find-failed-mails.ts';
export { canonicalEmail, isMailAddress, type Mail } from './mail.ts';
export { queueMail } from './queue-mail.ts';
export { sendMail } from './send-mail.ts';
export { messageIdOf, type Posted, postMail, theMailServer } from './smtp.ts';
export { tendMails } from './tend-mails.ts';
