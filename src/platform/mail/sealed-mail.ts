import type { SiteSecrets } from '../secrets/index.ts';
import { canonicalEmail, type Mail, type MailFile } from './mail.ts';

/** A mail as it is stored. The id is its context, so that nobody can move it to another row. */
export function sealMail(secrets: SiteSecrets, id: string, { to, subject, text, files }: Mail): Buffer {
  const stored: SealedContent = { to, subject, text };
  if (files) stored.files = files.map((file) => ({ ...file, content: file.content.toString('base64') }));
  return secrets.seal('mail', id, JSON.stringify(stored));
}

type SealedContent = Omit<Mail, 'files'> & { files?: (Omit<MailFile, 'content'> & { content: string })[] };

/** @throws Error when it was sealed under another site key. */
export function openMail(secrets: SiteSecrets, id: string, sealed: Buffer): Mail {
  const { files, ...mail } = JSON.parse(secrets.open('mail', id, sealed)) as SealedContent;
  if (!files) return mail;
  return { ...mail, files: files.map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') })) };
}

/** A keyed hash, to find the mails to an address without storing the address. */
export function hashRecipient(secrets: SiteSecrets, to: string): Buffer {
  return secrets.hash('address of mail', canonicalEmail(to));
}
