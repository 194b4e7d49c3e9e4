import { messageIdOf, postMail, theMailServer } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { confirmationLink } from '../confirmation/link.ts';
import { type Channel, type Failure, NoWay } from './channel.ts';
import { findReceiverAddress } from './find-receiver-address.ts';
import { contentOf, letterName } from './letter-file.ts';

/**
 * An email with the letter as a file. That the mail server took it is all that is known at first; whoever reads it
 * confirms that by a link.
 */
export function createEmail(deps: Pick<Platform, 'db' | 'settings' | 'secrets'>): Channel {
  const { settings } = deps;
  return {
    name: 'email',
    repeatable: false,
    confirms: true,
    receiver: async () => theMailServer,
    async render(message) {
      if (settings.mode === 'live' && settings.smtpUrl === undefined)
        throw new NoWay('This site has no mail server: ONWARD_SMTP_URL is not set.');
      const address = await findReceiverAddress(deps.db, message, 'email');
      if (!address) throw new NoWay(`No email address of ${message.recipient.name} is set.`);
      return {
        address: address.address,
        headers: {
          From: settings.mailFrom ?? settings.siteName,
          To: address.address,
          Subject: message.subject,
          Date: message.createdAt.toUTCString(),
          'Message-ID': messageIdOf(settings, message.id),
        },
        body: [message.text, `Please confirm that you have it: ${confirmationLink(deps, message.id)}`].join(
          '\n\n',
        ),
        files: [{ ...letterName, letter: message.written() }],
      };
    },
    async send(message, { address: to, body: text, files: rendered }) {
      const { id, subject, createdAt: at } = message;
      const files = await Promise.all(
        rendered.map(async (file) => ({
          name: file.name,
          type: file.type,
          content: await contentOf(message, file),
        })),
      );
      const { outcome, reason } = await postMail(settings, { to, subject, text, files }, { id, at });
      if (outcome !== 'sent') throw new NotPosted(outcome, reason);
      return { status: 'sent', detail: 'The mail server took the email.' };
    },
    classify: (error) => (error instanceof NotPosted ? error.failure : undefined),
  };
}

const kinds = { refused: 'permanent', later: 'retry', uncertain: 'uncertain' } as const;

class NotPosted extends Error {
  override name = 'NotPosted';
  readonly failure: Failure;
  constructor(outcome: keyof typeof kinds, detail: string) {
    super(outcome);
    this.failure = { kind: kinds[outcome], detail };
  }
}
