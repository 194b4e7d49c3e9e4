import { Readable } from 'node:stream';
import type MimeNode from 'nodemailer/lib/mime-node';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { noMailServerReason } from '../connections/index.ts';
import { minuteMs } from '../durations.ts';
import { isLoopback } from '../ip-addresses/index.ts';
import type { Settings } from '../settings/index.ts';
import { type Mail, subjectLine } from './mail.ts';

/**
 * sent; refused: the server refuses this mail, for its recipient or its content; site-refused: it refuses any mail from
 * this site; later: another attempt may succeed; uncertain: the whole mail went out, and no answer came.
 * `reason` is for the operator and names no address.
 */
export type SmtpResult = {
  readonly outcome: 'sent' | 'refused' | 'site-refused' | 'later' | 'uncertain';
  readonly reason: string;
  /** The server cannot be reached, or has a problem of its own. */
  readonly isUnreachable?: boolean;
};

export type MailServer = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'baseUrl' | 'siteName'>;

/** The receiver of its jobs. */
export const mailServerSystem = 'the mail server';

/** For a single step, such as connecting or one answer. */
const stepTimeoutMs = 10_000;
/** For all steps together, because a server that sends a byte every few seconds never exceeds the limit of one step. */
const wholeTimeoutMs = minuteMs;

/** The headers that say whose mail it is. They are the same each time, so that a receiver that gets it twice can tell. */
export function mailHeaders(
  settings: MailServer,
  { to, subject }: Pick<Mail, 'to' | 'subject'>,
  { id, at }: { id: string; at: Date },
) {
  return {
    // A test site needs no address of its own, because its mails go nowhere.
    From: settings.mailFrom ?? settings.siteName,
    To: to,
    Subject: subjectLine(subject),
    Date: at.toUTCString(),
    'Message-ID': messageIdOf(settings, id),
  };
}

/** Sends one mail to the site's mail server, with the same bytes each time. Never throws for what the server does. */
export async function sendBySmtp(
  settings: MailServer,
  mail: Mail,
  { id, at, timeoutMs = wholeTimeoutMs }: { id: string; at: Date; timeoutMs?: number },
): Promise<SmtpResult> {
  if (settings.smtpUrl === undefined) return { outcome: 'site-refused', reason: noMailServerReason };
  // Loaded when the first mail goes out, so that the start does not wait for it. A test site never needs it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const headers = mailHeaders(settings, mail, { id, at });
  const composed = new MailComposer({
    from: headers.From,
    to: { name: '', address: mail.to },
    subject: headers.Subject,
    text: mail.text,
    messageId: headers['Message-ID'],
    date: at,
    attachments: (mail.files ?? []).map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content,
    })),
    // A private option of nodemailer: the separator of the parts is usually random, but a repeated mail must have the same bytes.
    ...({ baseBoundary: id } as object),
    // So that auto-responders do not reply (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const encoded = { envelope: composed.getEnvelope(), bytes: await composed.build() };
  const { auth, ...options } = smtpOptions(settings);
  return sendOver(new SMTPConnection(options), auth, encoded, timeoutMs);
}

type EncodedMail = { envelope: ReturnType<MimeNode['getEnvelope']>; bytes: Buffer };

function sendOver(
  connection: SMTPConnection,
  auth: { user: string; pass: string } | undefined,
  { envelope, bytes }: EncodedMail,
  timeoutMs: number,
): Promise<SmtpResult> {
  const { promise, resolve } = Promise.withResolvers<SmtpResult>();
  // Read only when the server has asked for it, so that its end means that all has gone out.
  const content = Readable.from(piecesOf(bytes));
  let isContentSent = false;
  content.once('end', () => {
    isContentSent = true;
  });
  const fail = (error: SmtpError) => {
    resolve(classifyError(error, { isContentSent }));
    connection.close();
  };
  const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), timeoutMs);
  // Kept after the end too: an error without a listener ends the process.
  connection.on('error', fail);
  const send = () =>
    connection.send(envelope, content, (error) => {
      if (error) return fail(error);
      resolve({ outcome: 'sent', reason: '' });
      connection.quit();
    });
  connection.connect((error) => {
    if (error) return fail(error);
    if (!auth || !connection.allowsAuth) return send();
    connection.login({ credentials: auth }, (refused) => (refused ? fail(refused) : send()));
  });
  return promise.finally(() => clearTimeout(timer));
}

/** Small pieces, so that little is still unwritten when the last one is read. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  const size = 16_384;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** The `Message-ID` of a mail. Two mails with the same one are the same mail (RFC 5322, section 3.6.4). */
function messageIdOf({ baseUrl }: Pick<Settings, 'baseUrl'>, id: string): string {
  return `<${id}@${new URL(baseUrl).hostname}>`;
}

/**
 * How to reach the mail server. Only a server on this machine may work without TLS. On a network, others could read and
 * change the links in the mails and the site's password.
 */
export function smtpOptions({ smtpUrl, baseUrl }: MailServer) {
  const url = new URL(smtpUrl!);
  const isSecure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (isSecure ? 465 : 587);
  const user = decodeURIComponent(url.username);
  return {
    host,
    port,
    secure: isSecure,
    ...(isSecure || !isLoopback(url) ? { requireTLS: !isSecure } : { ignoreTLS: true }),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    name: new URL(baseUrl).hostname,
    dnsTimeout: stepTimeoutMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // A connection that is given up is closed at once.
    socketCloseTimeout: 0,
  };
}

type SmtpError = {
  code?: string | undefined;
  responseCode?: number | undefined;
  command?: string | undefined;
  /** What the server answered. */
  response?: string | undefined;
};

/** The server knows no such mailbox (RFC 3463, sections 3.2 and 3.8). */
const noSuchMailbox = /^\d{3}[ -]5\.1\.(1|10)\b/;

/** The server wants this site to sign in, or to do it in another way (RFC 4954). It may say so at any step. */
const aboutSigningIn = [530, 534, 535, 538];

/**
 * Leaves out what the server said, since servers often repeat the address. A refusal is final only if it is about this mail: its
 * recipient, or the mail as a whole. At every earlier step the server refuses this site.
 */
function classifyError(
  { code = '', responseCode, command, response = '' }: SmtpError,
  { isContentSent }: { isContentSent: boolean },
): SmtpResult {
  const answer = responseCode === undefined ? '' : ` (${responseCode})`;
  if (responseCode !== undefined && responseCode >= 500) {
    const isAboutRecipient = command === 'RCPT TO' && !aboutSigningIn.includes(responseCode);
    if (isAboutRecipient && noSuchMailbox.test(response))
      return { outcome: 'refused', reason: `There is no such address, says the mail server${answer}.` };
    if (isAboutRecipient || code === 'EMESSAGE')
      return { outcome: 'refused', reason: `The mail server refused it${answer}.` };
    return { outcome: 'site-refused', reason: withAnswer(refusalWords[code] ?? refusedAt(command), answer) };
  }
  if (responseCode === undefined && refusalWords[code])
    return { outcome: 'site-refused', reason: refusalWords[code] };
  if (isContentSent && responseCode === undefined)
    return { outcome: 'uncertain', reason: 'The mail server did not say whether it took it.' };
  const reason = `${laterWords[code] ?? 'The mail server could not be used.'}${answer}`;
  const isAboutThisMail = code === 'EMESSAGE' || command === 'RCPT TO';
  return { outcome: 'later', reason, ...(!isAboutThisMail && { isUnreachable: true }) };
}

/** “… in ONWARD_MAIL_FROM (550).” */
function withAnswer(sentence: string, answer: string): string {
  return sentence.replace(/\.$/, `${answer}.`);
}

const refusalWords: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server did not accept the name and password in ONWARD_SMTP_URL.',
  ETLS: 'The mail server could not be reached with TLS.',
};

function refusedAt(command: string | undefined): string {
  return command === 'MAIL FROM'
    ? 'The mail server takes no mail from the sender in ONWARD_MAIL_FROM.'
    : 'The mail server takes no mail from this site.';
}

const laterWords: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server could not check the name and password in ONWARD_SMTP_URL.',
  EDNS: 'The name of the mail server in ONWARD_SMTP_URL was not found.',
  ECONNECTION: 'The connection to the mail server broke.',
  ESOCKET: 'The connection to the mail server could not be made, or broke.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EENVELOPE: 'The mail server asked to try again later.',
  EMESSAGE: 'The mail server asked to try again later.',
};
