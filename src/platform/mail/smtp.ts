import { PassThrough } from 'node:stream';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { isLoopback } from '../addresses/index.ts';
import type { Settings } from '../settings/index.ts';
import { type Mail, subjectLine } from './mail.ts';

/**
 * sent; refused: for good; later: worth another try; uncertain: nothing was heard after the whole mail had gone out.
 * `reason` is for the operator and names no address.
 */
export type Posted = {
  readonly outcome: 'sent' | 'refused' | 'later' | 'uncertain';
  readonly reason: string;
};

/** A mail, and files with what is not to be in its text. */
type MailWithFiles = Mail & {
  readonly files?: readonly { readonly name: string; readonly type: string; readonly content: Buffer }[];
};

export type MailServer = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'baseUrl'>;

/** Whom its jobs speak to. */
export const theMailServer = 'the mail server';

/** Well under what a stopping site waits for its jobs, unless a server is slow at every single step. */
const timeoutMs = 10_000;

/** Hands one mail to the site's mail server, the same bytes each time. Never throws for what the server does. */
export async function postMail(
  settings: MailServer,
  mail: MailWithFiles,
  { id, at }: { id: string; at: Date },
): Promise<Posted> {
  let wentOut = false;
  // Loaded when the first mail goes out: the start of a site does not wait for it, and a test site never needs it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpOptions(settings)).use('stream', (job, done) => {
    job.message.transform(
      new PassThrough().once('end', () => {
        wentOut = true;
      }),
    );
    done();
  });
  try {
    await transport.sendMail({
      from: settings.mailFrom,
      to: { name: '', address: mail.to },
      subject: subjectLine(mail.subject),
      text: mail.text,
      // Fixed, so that a receiver who gets the mail twice, because a connection broke at the end, can tell.
      messageId: messageIdOf(settings, id),
      date: at,
      attachments: (mail.files ?? []).map(({ name, type, content }) => ({
        filename: name,
        contentType: type,
        content,
      })),
      ...sameBoundary(id),
      // Answering machines stay silent (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { outcome: 'sent', reason: '' };
  } catch (error) {
    return whatHappened(error as SmtpError, wentOut);
  } finally {
    transport.close();
  }
}

/** The `Message-ID` of a mail. Two mails with the same one are the same mail (RFC 5322, section 3.6.4). */
export function messageIdOf({ baseUrl }: Pick<Settings, 'baseUrl'>, id: string): string {
  return `<${id}@${new URL(baseUrl).hostname}>`;
}

/** What separates the parts of a mail: by chance, as usual, a repetition would differ. */
function sameBoundary(id: string): object {
  return { baseBoundary: id };
}

/**
 * How to reach the mail server. Without TLS the links in the mails, and the site's password for the server, could be
 * read and changed on the way: it may be left out on this very machine alone.
 */
export function smtpOptions({ smtpUrl, baseUrl }: MailServer): SMTPTransport.Options {
  const url = new URL(smtpUrl!);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (secure ? 465 : 587);
  const user = decodeURIComponent(url.username);
  return {
    host,
    port,
    secure,
    ...(secure || !isLoopback(url) ? { requireTLS: !secure } : { ignoreTLS: true }),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    name: new URL(baseUrl).hostname,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
}

type SmtpError = Error & { code?: string; responseCode?: number };

/**
 * What the server said is left out, since servers like to repeat the address. A refusal is final only where it is about
 * this mail: a wrong password of the site's own, say, is the operator's to mend, and the mail is still wanted then.
 */
function whatHappened({ code = '', responseCode }: SmtpError, wentOut: boolean): Posted {
  const aboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (aboutThisMail && responseCode !== undefined && responseCode >= 500)
    return { outcome: 'refused', reason: `The mail server refused it (${responseCode}).` };
  if (wentOut && responseCode === undefined)
    return { outcome: 'uncertain', reason: 'The mail server did not say whether it took it.' };
  const answer = responseCode === undefined ? '' : ` (${responseCode})`;
  return { outcome: 'later', reason: `${reasons[code] ?? 'The mail server could not be used.'}${answer}` };
}

const reasons: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server did not accept the name and password in ONWARD_SMTP_URL.',
  ETLS: 'The mail server could not be reached with TLS.',
  EDNS: 'The name of the mail server in ONWARD_SMTP_URL was not found.',
  ECONNECTION: 'The connection to the mail server broke.',
  ESOCKET: 'The connection to the mail server could not be made, or broke.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EENVELOPE: 'The mail server asked to try again later.',
  EMESSAGE: 'The mail server asked to try again later.',
};
