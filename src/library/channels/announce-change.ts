import { type Caller, listEnabledProviders, listOperators } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { momentInWords } from '../../platform/html/index.ts';
import {
  canonicalEmail,
  mailPeople,
  mayText,
  queueText,
  textLimitReached,
} from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { sendsTexts } from '../../platform/texts/index.ts';
import { channelLabels, isEmailChannel } from './addresses.ts';
import {
  type AddressChangeKind,
  answerEmail,
  codeEmail,
  codeTelephone,
  isForCodes,
  type Receiver,
} from './addresses-store.ts';
import { findReferralSettings } from './settings-store.ts';

export type ChangeLine = {
  channel: string;
  what: AddressChangeKind;
  from: string | null;
  to: string | null;
  /** Confirms the new address. */
  link?: string;
};

/** A receiver of messages, and its name. */
export type NamedReceiver = { receiver: Receiver; name: string };

/** For how many days the link that confirms an address works. */
export const linkLifetimeDays = 7;

/** The people responsible for a receiver's messages: providers of its organisation, and operators. */
export async function listResponsibleEmails(
  db: Db,
  { organizationId }: { organizationId: string | null },
): Promise<string[]> {
  const providers = organizationId === null ? [] : await listEnabledProviders(db, [organizationId]);
  const operators = await listOperators(db);
  return withoutRepeats([...providers, ...operators].map(({ email }) => email));
}

/** Everybody who is told of a change: the people responsible, and the mailboxes in use. */
export function everybodyToNotify(
  responsible: readonly string[],
  inUse: Readonly<Record<string, string>>,
): string[] {
  const mailboxes = [inUse.email, inUse[answerEmail], inUse[codeEmail]].filter((each) => each !== undefined);
  return withoutRepeats([...mailboxes, ...responsible]);
}

function withoutRepeats(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((each) => [canonicalEmail(each), each])).values()];
}

/**
 * Sends the link that confirms a new address.
 * A new email address or mobile number gets the link itself. Webhooks and MESH mailboxes cannot
 * open links, so another responsible person confirms those; the person who made the change only if there is nobody else.
 * The service's own mailbox does not get that link, because the same person may just have changed it too.
 * @throws Problem `unprocessable` if too many texts went to the number, or by the caller
 */
export async function sendConfirmationLink(
  trx: Trx,
  deps: Platform,
  caller: Pick<Caller, 'accountId' | 'email' | 'organisation'>,
  {
    receiver,
    name,
    line,
    responsible,
  }: NamedReceiver & { line: ChangeLine & { link: string }; responsible: readonly string[] },
): Promise<void> {
  const { siteName } = deps.settings;
  // It names no service: others may see it on a locked screen.
  if (line.channel === codeTelephone) {
    const to = line.to!;
    const causedBy = caller.organisation?.id ?? caller.accountId;
    if (!(await mayText(trx, deps, { kind: 'site', to, causedBy })))
      throw new Problem(unprocessable, textLimitReached, {
        errors: [{ pointer: '/code_telephone', message: textLimitReached }],
      });
    const text = `${siteName} wants to send codes for referrals to this number. If you did not expect this, do nothing. If you did, confirm it within ${linkLifetimeDays} days: ${line.link}`;
    return queueText(trx, deps, 'site', { to, text }, { causedBy });
  }
  const label = channelLabels[line.channel] ?? line.channel;
  const recipients = linkRecipients({ channel: line.channel, address: line.to! }, responsible, caller);
  const words = isForCodes(line.channel)
    ? 'Confirm where codes go'
    : 'Confirm where letters about referrals go';
  const subject = await subjectAbout(trx, words, { receiver, name });
  const paragraphs = isEmailChannel(line.channel)
    ? [
        isForCodes(line.channel)
          ? `${siteName} wants to send codes to this mailbox. A code opens a referral to ${name} to people who have no account. The link to that referral goes to another mailbox.`
          : `${siteName} wants to send letters about people who are referred to ${name} to this mailbox.`,
        `Confirm it if the mailbox is read only by those who may see such letters. The link works for ${linkLifetimeDays} days:`,
        line.link,
        'If you know nothing of this, do nothing: no letter and no code is sent here.',
      ]
    : [
        `${siteName} wants to send messages about people who are referred to ${name} to a new address.`,
        `${label}: ${line.to}${line.from === null ? '' : `\nUntil now: ${line.from}`}`,
        `Confirm it if that is right. The link works for ${linkLifetimeDays} days, and nothing is sent there before:`,
        line.link,
      ];
  await mailPeople(trx, deps, 'site', { to: recipients, subject, paragraphs });
}

/** Who gets the link that confirms an address which `caller` has set. */
export function linkRecipients(
  { channel, address }: { channel: string; address: string },
  responsible: readonly string[],
  caller: Pick<Caller, 'email'>,
): readonly string[] {
  if (isEmailChannel(channel) || channel === codeTelephone) return [address];
  const others = responsible.filter((each) => canonicalEmail(each) !== canonicalEmail(caller.email));
  return others.length > 0 ? others : [caller.email];
}

type ChangeNotice = NamedReceiver & {
  by: { name: string; organisation?: { name: string } | null };
  lines: readonly ChangeLine[];
  channels?: { before: readonly string[]; after: readonly string[] };
  involved: readonly string[];
};

/** Sends everybody involved one email about all changes. */
export async function notifyInvolvedPeople(trx: Trx, deps: Platform, notice: ChangeNotice): Promise<void> {
  const { receiver, name, by, lines, channels, involved } = notice;
  const { siteName, baseUrl, operatorContact } = deps.settings;
  const path =
    'serviceId' in receiver
      ? `/services/${encodeURIComponent(receiver.serviceId)}/referral-settings`
      : `/operator/practices/${encodeURIComponent(receiver.odsCode)}`;
  const who = by.organisation ? `${by.name}, ${by.organisation.name},` : by.name;
  const channelLines =
    channels && channels.before.join() !== channels.after.join()
      ? [
          `Channels, in the order in which they are tried: ${channels.after.join(', ')} (before: ${channels.before.join(', ')})`,
        ]
      : [];
  const paragraphs = [
    `${who} changed where letters about referrals to ${name} go on ${siteName}.`,
    [...lines.map(changeInWords), ...channelLines].join('\n'),
    `When: ${momentInWords(deps.clock.now())}`,
    `If you expected this, there is nothing to do. If not, tell ${operatorContact ?? 'those who run the site'} at once.`,
    // On a line of its own: some mail programs take the comma after an address for a part of it.
    `With an account you can look at it here:\n\n${baseUrl}${path}`,
  ];
  const subject = await subjectAbout(trx, 'Where letters about referrals go has changed', notice);
  await mailPeople(trx, deps, 'site', { to: involved, subject, paragraphs });
}

/** Texts the number that got the codes of a service until now, so that nobody can have them sent elsewhere unnoticed. */
export async function tellFormerMobile(trx: Trx, deps: Platform, number: string): Promise<void> {
  const { siteName, operatorContact } = deps.settings;
  if (!sendsTexts(deps.settings)) return;
  const whom = operatorContact ?? `those who run ${siteName}`;
  const text = `${siteName}: codes that open referrals no longer come to this number. If you do not know why, tell ${whom} at once.`;
  await queueText(trx, deps, 'site', { to: number, text });
}

/** Subjects are shown where others read them, so they do not name a sensitive service. */
async function subjectAbout(trx: Trx, words: string, { receiver, name }: NamedReceiver): Promise<string> {
  const isSensitive =
    'serviceId' in receiver && (await findReferralSettings(trx, receiver.serviceId)).sensitive;
  return isSensitive ? words : `${words}: ${name}`;
}

function changeInWords({ channel, what, from, to }: ChangeLine): string {
  const label = channelLabels[channel] ?? channel;
  if (what === 'removed') return `${label}: ${from} was removed`;
  if (what === 'taken-back') return `${label}: stays ${to}; ${from} is not used`;
  if (what === 'confirmed')
    return `${label}: ${to} is confirmed, and used from now on${from === null ? '' : ` instead of ${from}`}`;
  return from === null
    ? `${label}: to be ${to}. Nothing goes there until that is confirmed`
    : `${label}: to be ${to}. It stays ${from} until that is confirmed`;
}
