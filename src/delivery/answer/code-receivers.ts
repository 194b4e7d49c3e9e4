import { codeEmail, codeTelephone, findDeliveryAddress } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { mailboxOf } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { sendsTexts } from '../../platform/texts/index.ts';
import type { AnswerLink } from '../channels/answer-links-store.ts';
import type { UsableLink } from './usable-link.ts';

/** A mailbox or a mobile number of a service that may get the codes of a link. */
export type CodeReceiver = { by: 'email' | 'text'; address: string };

/**
 * Where the codes of a link may go: a second mailbox and a mobile number, which the service gave before. Somebody who can read only the
 * mailbox that got the link must not get a code.
 */
export async function codeReceiversOf(
  db: Db,
  { settings }: Pick<Platform, 'settings'>,
  { link, referral }: UsableLink,
): Promise<CodeReceiver[]> {
  const service = { serviceId: referral.service_id };
  const mailbox = await findDeliveryAddress(db, service, codeEmail);
  const isSecond = mailbox && mailboxOf(mailbox.address) !== mailboxOf(link.address);
  const mobile = sendsTexts(settings) ? await findDeliveryAddress(db, service, codeTelephone) : undefined;
  return [
    ...(isSecond ? [{ by: 'email' as const, address: mailbox.address }] : []),
    ...(mobile ? [{ by: 'text' as const, address: mobile.address }] : []),
  ];
}

/** The receiver that got the link’s last code; undefined if it may not get codes any more. */
export function receiverOfCode(
  { codeTo }: Pick<AnswerLink, 'codeTo'>,
  receivers: readonly CodeReceiver[],
): CodeReceiver | undefined {
  return receivers.find(({ by, address }) => (codeTo === null ? by === 'email' : address === codeTo));
}

/** The receiver that somebody chose, or else the first. */
export function chosenReceiver(receivers: readonly CodeReceiver[], chosen: string): CodeReceiver | undefined {
  return receivers.find(({ by }) => by === chosen) ?? receivers[0];
}

/** “the mobile number that ends in 512”: only people who know the address recognise it. */
export function receiverInWords({ by, address }: CodeReceiver): string {
  if (by === 'text') return `the mobile number that ends in ${address.slice(-3)}`;
  return `the email address ${[...address][0]}***${address.slice(address.lastIndexOf('@'))}`;
}
