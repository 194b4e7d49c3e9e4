export { type Mail, queueMail } from './queue-mail.ts';
