import { mailHeaders, mailServerSystem, type SmtpResult, sendBySmtp } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { findReferrerTelephone, findStaff, fingerprintOfUnread } from '../../referrals/index.ts';
import { findOrMakeAnswerLink, linkRuleOf } from './answer-link.ts';
import {
  CannotDeliver,
  type Channel,
  type Failure,
  fileContent,
  letterFile,
  type OutgoingMessage,
} from './channel.ts';
import { confirmationLink } from './confirmation-link.ts';
import { findReceiverAddress } from './receiver.ts';

/** An email with the letter as a file. The mail server only says that it accepted the email. Its reader confirms it by a link. */
export function createEmail(deps: Pick<Platform, 'settings' | 'secrets' | 'clock'>): Channel {
  const { settings } = deps;
  return {
    name: 'email',
    idempotent: false,
    receiverCanConfirm: true,
    connection: 'mail-server',
    systemToCall: async () => mailServerSystem,
    async render(db, message) {
      const address = await findReceiverAddress(db, message, 'email');
      if (!address)
        throw new CannotDeliver(`No email address of ${message.receiver.name} is set and confirmed.`);
      return {
        address: address.address,
        headers: mailHeaders(
          settings,
          { to: address.address, subject: message.subject },
          { id: message.id, at: message.createdAt },
        ),
        body: await textWithLinks({ ...deps, db }, message, address.address),
        files: [{ ...letterFile, letter: message.writtenLetter() }],
      };
    },
    async send(message, { address: to, body: text, files: rendered }) {
      const { id, subject, createdAt: at } = message;
      const files = await Promise.all(
        rendered.map(async (file) => ({
          name: file.name,
          type: file.type,
          content: await fileContent(message, file),
        })),
      );
      const posted = await sendBySmtp(settings, { to, subject, text, files }, { id, at });
      if (posted.outcome !== 'sent') throw new EmailNotSent(posted);
      return { status: 'sent', detail: 'The mail server accepted the email.' };
    },
    classify: (error) => (error instanceof EmailNotSent ? error.failure : undefined),
  };
}

/** If nobody of the service has an account, the links that work without one come before the link that asks people to sign in. */
async function textWithLinks(
  deps: Pick<Platform, 'db' | 'settings' | 'secrets' | 'clock'>,
  message: OutgoingMessage,
  address: string,
): Promise<string> {
  const { news, toDo } = await whatToDo(deps, message, address);
  const hasNoAccounts =
    message.leg === 'service' && message.purpose === 'referral' && !(await hasPeople(deps, message.referral));
  const lines = hasNoAccounts ? { beforeLink: toDo, atEnd: news } : { atEnd: [...news, ...toDo] };
  return message.text({ hasLetter: true, ...lines });
}

/** What the reader can do, with its links. A service that can answer by link needs no link to confirm. */
async function whatToDo(
  deps: Pick<Platform, 'db' | 'settings' | 'secrets' | 'clock'>,
  { id, leg, purpose, referral }: OutgoingMessage,
  address: string,
): Promise<{ news: string[]; toDo: string[] }> {
  const toConfirm = `Please confirm that you have it: ${confirmationLink(deps, id)}`;
  if (leg !== 'service' || purpose !== 'referral') return { news: [], toDo: [toConfirm] };
  const rule = await linkRuleOf(deps, referral);
  const news = await urgentNews(deps, referral);
  if (rule === 'needs-account')
    return {
      news,
      toDo: [
        ...(await ringFirst(deps, referral)),
        toConfirm,
        'This referral cannot be answered by a link. Sign in with an account to answer it.',
      ],
    };
  const link = rule === 'off' ? undefined : await findOrMakeAnswerLink(deps, referral, address);
  if (link === undefined) return { news, toDo: [toConfirm] };
  return {
    news,
    toDo: [
      referral.status === 'requested'
        ? `No account? Confirm, accept or decline it here: ${link}`
        : `No account? Say how it goes, or end it, here: ${link}`,
      'Do not forward this email. Anybody who has the link can answer until the referral ends.',
    ],
  };
}

async function hasPeople(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  { service: { organization_id: organizationId } }: OutgoingMessage['referral'],
): Promise<boolean> {
  return (await findStaff(db, [organizationId], clock.now()))(organizationId).hasPeople;
}

/** Whom to ring. If nobody of the service has an account, the referrer learns only by telephone that somebody acts. */
async function ringFirst(
  deps: Pick<Platform, 'db' | 'settings' | 'clock'>,
  referral: OutgoingMessage['referral'],
): Promise<string[]> {
  const { db, settings } = deps;
  if (await hasPeople(deps, referral)) return [];
  const telephone = await findReferrerTelephone(db, referral);
  const whom = telephone === null ? contactOf(settings) : `the referrer on ${telephone}`;
  return [
    `Ring ${whom} before you do anything: this referral cannot be answered without an account, and nobody of your organisation has one. Say the reference. For an account, ask ${contactOf(settings)}.`,
  ];
}

/** That there is urgent news, which only the letter tells. The number is for people who do not open the letter. */
async function urgentNews(
  { db, settings }: Pick<Platform, 'db' | 'settings'>,
  referral: OutgoingMessage['referral'],
): Promise<string[]> {
  if ((await fingerprintOfUnread(db, referral.id)) === undefined) return [];
  const telephone = await findReferrerTelephone(db, referral);
  const how =
    telephone === null
      ? `Ask ${contactOf(settings)} how to reach the referrer: no number was recorded.`
      : `Ring the referrer on ${telephone}.`;
  return [
    `There is urgent news since the referral was sent. ${how} Read the attached letter before you answer.`,
  ];
}

class EmailNotSent extends Error {
  override name = 'EmailNotSent';
  readonly failure: Failure;
  constructor(posted: SmtpResult) {
    super(posted.outcome);
    this.failure = failureOf(posted);
  }
}

function failureOf({ outcome, reason: detail, isUnreachable = false }: SmtpResult): Failure {
  if (outcome === 'refused') return { kind: 'permanent', detail };
  if (outcome === 'uncertain') return { kind: 'uncertain', detail };
  if (outcome === 'site-refused') return { kind: 'held', by: 'mail-server', detail };
  return isUnreachable ? { kind: 'retry', detail, away: true } : { kind: 'retry', detail };
}
