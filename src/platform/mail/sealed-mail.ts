import type { SiteSecrets } from '../secrets/index.ts';
import { canonicalEmail, type Mail } from './mail.ts';

/** A mail as it is stored. The id is its context, so that nobody can move it to another row. */
export function sealMail(secrets: SiteSecrets, id: string, { to, subject, text }: Mail): Buffer {
  return secrets.seal('mail', id, JSON.stringify({ to, subject, text }));
}

/** @throws Error when it was sealed under another site key. */
export function openMail(secrets: SiteSecrets, id: string, sealed: Buffer): Mail {
  return JSON.parse(secrets.open('mail', id, sealed)) as Mail;
}

/** A keyed hash, to find the mails to an address without storing the address. */
export function hashRecipient(secrets: SiteSecrets, to: string): Buffer {
  return secrets.hash('address of mail', canonicalEmail(to));
}
