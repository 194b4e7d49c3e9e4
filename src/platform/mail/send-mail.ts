import {
  noMailServerReason,
  probeEveryMs,
  recordConnectionFailure,
  recordConnectionWorking,
  takeProbeOrFindRefusal,
} from '../connections/index.ts';
import { type Db, inTransaction, type Trx } from '../database/index.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../durations.ts';
import { addKeyedJob } from '../jobs/index.ts';
import type { Platform } from '../platform.ts';
import { noTextsReason, readMobileNumber, sendByNotify, sendsTexts } from '../texts/index.ts';
import { waitsForCheck } from './held-for-check.ts';
import { isMailAddress, type Mail } from './mail.ts';
import {
  dropMails,
  findMail,
  type MailRow,
  markCaptured,
  markFinished,
  type QueuedMail,
  startAttempt,
  uncountAttempt,
} from './mails-store.ts';
import { payloadOf } from './queue-mail.ts';
import { type MailOrText, openMail } from './sealed-mail.ts';
import { type SmtpResult, sendBySmtp } from './smtp.ts';

const mailServer = 'mail-server';
const firstPauseSeconds = minuteMs / secondMs;
/** Somebody may be waiting for a code. */
const firstPauseOfTextSeconds = 10;
const maxPauseSeconds = (4 * hourMs) / secondMs;

/** With the pauses between them this is about five days, as RFC 5321 has it (section 4.5.4.1). */
const maxAttempts = 38;

/** How long mails wait on a live site that has no mail server. */
const maxWaitMs = 5 * dayMs;

/** One minute, which is what greylisting asks for, then twice as long each time, up to four hours. */
export function pauseSecondsAfter(attempt: number, first = firstPauseSeconds): number {
  return Math.min(first * 2 ** (attempt - 1), maxPauseSeconds);
}

/** Whether the page or link that a message is about may still be used, and by this address. */
export type MaySendAboutLink = (about: { linkId: string; to: string }) => Promise<boolean>;

/**
 * The `send-mail` job: sends one email or text, or finds that nothing is left to do. It may be killed anywhere and run again. The mail
 * keeps its Message-ID, so that a receiver can tell that two are the same.
 */
export async function sendMail(
  deps: Platform,
  { mail_id: id }: { mail_id: string },
  maySendAboutLink: MaySendAboutLink = async () => true,
): Promise<void> {
  const { db, clock, settings } = deps;
  const mail = await findMail(db, id);
  if (mail?.status !== 'queued' || mail.sealed === null) return;
  if (await waitsForCheck(db, mail.id)) return;
  // A test site sends nothing outside itself, even if its settings name a mail server.
  if (settings.mode === 'test') return markCaptured(db, id, clock.now());
  const opened = openOrExplain(deps, mail, mail.sealed);
  if (!opened.mail) return giveUp(db, deps, id, opened.reason);
  if (mail.linkId && !(await maySendAboutLink({ linkId: mail.linkId, to: opened.mail.to }))) {
    deps.log.info({ mail: id }, 'a message was dropped: its link may no longer be used');
    return inTransaction(db, (trx) => dropMails(trx, [id], clock.now()));
  }
  await (mail.isText ? sendText : sendEmail)(deps, mail, opened.mail);
}

async function sendEmail(deps: Platform, { id, createdAt }: MailRow, mail: Mail): Promise<void> {
  const { db, clock, settings } = deps;
  const waitedMs = clock.now().getTime() - createdAt.getTime();
  if (settings.smtpUrl === undefined && waitedMs > maxWaitMs) return giveUp(db, deps, id, noMailServerReason);
  if (await takeProbeOrFindRefusal(db, mailServer, clock.now()))
    return inTransaction(db, (trx) => retryIn(trx, { id, isText: false }, probeEveryMs / secondMs));
  const attempt = await startAttempt(db, id);
  if (attempt === undefined) return;
  if (attempt > maxAttempts) return giveUp(db, deps, id, stoppedInLastAttempt);
  // No transaction is open while a slow server is waited for: it would hold a connection.
  const result = await sendBySmtp(settings, mail, { id, at: createdAt });
  if (result.outcome !== 'sent')
    deps.log.warn({ mail: id, attempt, reason: result.reason }, 'an email was not sent');
  await inTransaction(db, (trx) => recordResult(trx, deps, { id, attempt }, result));
}

/** A text that Notify refuses is given up at once, and operators are shown why. */
async function sendText(
  deps: Platform,
  { id, createdAt }: MailRow,
  { to, text, until }: MailOrText,
): Promise<void> {
  const { db, clock, settings } = deps;
  if (!sendsTexts(settings)) return giveUp(db, deps, id, noTextsReason);
  const isTooLate = (inSeconds: number) =>
    until !== undefined && clock.now().getTime() + inSeconds * secondMs >= until.getTime();
  if (isTooLate(0)) return giveUp(db, deps, id, codeExpired);
  const attempt = await startAttempt(db, id);
  if (attempt === undefined) return;
  if (attempt > maxAttempts) return giveUp(db, deps, id, stoppedInLastAttempt);
  // One that waited may have gone before a restore, which forgets the attempts since its backup.
  const waitedLong = clock.now().getTime() - createdAt.getTime() > minuteMs;
  const about = { id, at: clock.now(), isRepeated: attempt > 1 || waitedLong };
  const { outcome, reason } = await sendByNotify(settings, { to, text }, about);
  if (outcome === 'sent') return markFinished(db, id, { status: 'sent', reason: null, at: clock.now() });
  deps.log.warn({ mail: id, attempt, reason }, 'a text message was not sent');
  if (outcome === 'refused') return giveUp(db, deps, id, reason);
  if (attempt === maxAttempts) return giveUp(db, deps, id, `${reason} It was tried ${maxAttempts} times.`);
  const inSeconds = pauseSecondsAfter(attempt, firstPauseOfTextSeconds);
  if (isTooLate(inSeconds)) return giveUp(db, deps, id, `${reason} ${codeExpired}`);
  await inTransaction(db, (trx) => retryIn(trx, { id, isText: true }, inSeconds, until !== undefined));
}

const stoppedInLastAttempt = 'The site stopped in the middle of the last attempt to send it.';
const codeExpired = 'Its code expired before it could be sent.';

async function recordResult(
  trx: Trx,
  deps: Platform,
  { id, attempt }: { id: string; attempt: number },
  { outcome, reason, isUnreachable }: SmtpResult,
): Promise<void> {
  const at = deps.clock.now();
  if (outcome === 'site-refused') {
    // The mail is not at fault, and waits until the server accepts the site again.
    await recordConnectionFailure(trx, { connection: mailServer, kind: 'refuses', reason }, at);
    await uncountAttempt(trx, id);
    return retryIn(trx, { id, isText: false }, probeEveryMs / secondMs);
  }
  if (outcome === 'sent' || outcome === 'refused') await recordConnectionWorking(trx, mailServer, at);
  if (isUnreachable) await recordConnectionFailure(trx, { connection: mailServer, kind: 'away', reason }, at);
  if (outcome === 'sent') return markFinished(trx, id, { status: 'sent', reason: null, at });
  if (outcome === 'refused') return giveUp(trx, deps, id, reason);
  if (attempt === maxAttempts) return giveUp(trx, deps, id, `${reason} It was tried ${maxAttempts} times.`);
  await retryIn(trx, { id, isText: false }, pauseSecondsAfter(attempt));
}

function retryIn(trx: Trx, mail: QueuedMail, inSeconds: number, isFirst = false): Promise<void> {
  return addKeyedJob(trx, 'send-mail', payloadOf(mail), { key: `mail ${mail.id}`, inSeconds, isFirst });
}

type OpenedMail = { mail: MailOrText } | { mail: undefined; reason: string };

/** The mail, or the reason why it can never be sent. */
function openOrExplain({ secrets }: Platform, { id, isText }: QueuedMail, sealed: Buffer): OpenedMail {
  try {
    const mail = openMail(secrets, id, sealed);
    if (isText ? readMobileNumber(mail.to) === mail.to : isMailAddress(mail.to)) return { mail };
    return {
      mail: undefined,
      reason: `Its address is not one that ${isText ? 'a text' : 'email'} can be sent to.`,
    };
  } catch {
    return { mail: undefined, reason: 'It was written under another site key and cannot be read.' };
  }
}

async function giveUp(db: Db, { clock, log }: Platform, id: string, reason: string): Promise<void> {
  log.error({ mail: id, reason }, 'a message was given up');
  await markFinished(db, id, { status: 'failed', reason, at: clock.now() });
}
