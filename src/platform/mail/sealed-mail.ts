import type { SiteSecrets } from '../secrets/index.ts';
import { canonicalEmail, type Mail, type MailFile, type TextMessage } from './mail.ts';

/** A mail as it is stored. The id is its context, so that nobody can move it to another row. */
export function sealMail(
  secrets: SiteSecrets,
  id: string,
  { to, subject, text, files, until }: MailOrText,
): Buffer {
  const stored: SealedContent = { to, subject, text, ...(until && { until: until.toISOString() }) };
  if (files) stored.files = files.map((file) => ({ ...file, content: file.content.toString('base64') }));
  return secrets.seal('mail', id, JSON.stringify(stored));
}

/** A text message is stored as a mail, with the time after which it is not sent. */
export type MailOrText = Mail & Pick<TextMessage, 'until'>;

type SealedContent = Omit<Mail, 'files'> & {
  files?: (Omit<MailFile, 'content'> & { content: string })[];
  until?: string;
};

/** @throws Error when it was sealed under another site key. */
export function openMail(secrets: SiteSecrets, id: string, sealed: Buffer): MailOrText {
  const { files, until, ...mail } = JSON.parse(secrets.open('mail', id, sealed)) as SealedContent;
  const opened = { ...mail, ...(until !== undefined && { until: new Date(until) }) };
  if (!files) return opened;
  return {
    ...opened,
    files: files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') })),
  };
}

/** A keyed hash, to find the mails to an address without storing the address. */
export function hashRecipient(secrets: SiteSecrets, to: string): Buffer {
  return secrets.hash('address of mail', canonicalEmail(to));
}
