/** An email as it goes out: plain text to one person, with attached files for what must not be in the text. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly files?: readonly MailFile[];
};

/** A text message as it goes out, to a mobile number. It is not sent after `until`, because its code no longer works then. */
export type TextMessage = { readonly to: string; readonly text: string; readonly until?: Date };

export type MailFile = { readonly name: string; readonly type: string; readonly content: Buffer };

/**
 * queued: waits for its turn; captured: a test site keeps it, and it never leaves; failed: nobody tries it again; dropped: an operator
 * decided after a restore that it is not sent, or the page or link that it is about may no longer be used, or it is a text that was withheld
 * and only counts for the limits.
 */
export type MailStatus = 'queued' | 'captured' | 'sent' | 'failed' | 'dropped';

/**
 * What an email or a text is about. Those of the kind `site` are about accounts, keys, addresses and the running of the site; they are the only ones
 * that leave a restored site before an operator has checked what was sent. `record` are requests about records, and who looked at them.
 */
export const mailKinds = ['site', 'person', 'news', 'digest', 'reminder', 'offline-copy', 'record'] as const;
export type MailKind = (typeof mailKinds)[number];

/**
 * Whether email can be sent to this address. It must have the form that browsers accept (HTML, “valid email address”), with a
 * dot in the domain. Such an address has no character with a meaning in a header, so it cannot add a recipient or a header.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && mailAddressShape.test(text);
}

/** Addresses are compared without regard to case; this is the one form in which they are stored. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The mailbox that an address leads to. Mail to “advice+codes@…” arrives in “advice@…” at many providers, so the two are one mailbox
 * wherever two people have to read two of them.
 */
export function mailboxOf(email: string): string {
  return canonicalEmail(email).replace(/\+[^@]*@/, '@');
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const mailAddressShape = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${label}(?:\\.${label})+$`, 'i');

/** A subject in one line. A line end that somebody typed could add a header of their own. */
export function subjectLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

/** The address in a setting that is for people to read: “Ann Hale, dpo@example.org” names an address among other words. */
export function mailAddressIn(text: string | undefined): string | undefined {
  const words = (text ?? '').split(/[\s,;:<>()]+/).map((word) => word.replace(/\.$/, ''));
  const address = words.find(isMailAddress);
  return address === undefined ? undefined : canonicalEmail(address);
}
