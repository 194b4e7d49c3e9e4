import { type Connection, type ConnectionFailure, noMailServerReason } from './connection-failures.ts';

const names: Readonly<Record<Connection, string>> = {
  'mail-server': 'The mail server',
  'message-exchange': 'The NHS message exchange',
  'message-exchange-workflow': 'The NHS message exchange',
  'virus-scanner': 'The virus scanner',
};

const remedies: Readonly<Record<Connection, string>> = {
  'mail-server':
    'Check ONWARD_SMTP_URL and ONWARD_MAIL_FROM, and ask the people who run the mail server whether it accepts mail from this site.',
  'message-exchange':
    'Check the mailbox, its password, the shared key, the certificates and this machine’s clock with the command “site check”. NHS England’s service desk can reset the mailbox.',
  'message-exchange-workflow':
    'Ask NHS England’s service desk to let this site’s mailbox send by the workflows that docs/mesh.md names.',
  'virus-scanner': 'Check ONWARD_SCAN_URL, and ask the people who run the scanner.',
};

export type FailureDescription = {
  /** “The mail server does not accept this site”. */
  heading: string;
  reason: string;
  consequence: string;
  remedy: string;
  since: Date;
};

export function describeFailure({
  connection,
  kind,
  reason,
  since,
  isUnsteady,
}: ConnectionFailure): FailureDescription {
  if (reason === noMailServerReason)
    return {
      heading: 'This site has no mail server',
      reason,
      consequence:
        'Letters by email are held, and are sent once it has one. Other emails wait for five days.',
      remedy: 'Set ONWARD_SMTP_URL and ONWARD_MAIL_FROM, and start the site again.',
      since,
    };
  if (connection === 'virus-scanner')
    return {
      heading: isUnsteady
        ? 'The virus scanner does not look at some files'
        : 'The virus scanner does not look at files',
      reason,
      consequence:
        'Files are attached all the same, and marked “Not scanned for viruses”. The site has them scanned when the scanner answers.',
      remedy: remedies[connection],
      since,
    };
  const refuses = kind === 'refuses';
  return {
    heading: `${names[connection]} ${refuses ? 'does not accept this site' : 'cannot be reached'}`,
    reason,
    consequence: refuses
      ? 'Messages sent through it are held, and are sent when it accepts the site again.'
      : 'What this site sends through it is tried again and again.',
    remedy: refuses
      ? remedies[connection]
      : 'Ask the people who run it. If it works, check this site’s network.',
    since,
  };
}
