import {
  findBlockingReason,
  noMailServer,
  noteTrouble,
  noteWorking,
  probeEveryMs,
} from '../connections/index.ts';
import { type Db, inTransaction, type Trx } from '../database/index.ts';
import { addKeyedJob } from '../jobs/index.ts';
import type { Platform } from '../platform.ts';
import { isMailAddress, type Mail } from './mail.ts';
import { findMail, startAttempt, uncountAttempt, updateCaptured, updateFinished } from './mails-store.ts';
import { openMail } from './sealed-mail.ts';
import { type Posted, postMail, theMailServer } from './smtp.ts';

const mailServer = 'mail-server';
const minute = 60;
const maxPauseSeconds = 240 * minute;

/** With the pauses between them this is about five days, as RFC 5321 has it (section 4.5.4.1). */
const maxAttempts = 38;

/** How long mails wait on a live site that has no mail server. */
const maxWaitMs = 5 * 24 * 60 * minute * 1000;

/** One minute, which is what greylisting asks for, then twice as long each time, up to four hours. */
export function pauseAfter(attempt: number): number {
  return Math.min(minute * 2 ** (attempt - 1), maxPauseSeconds);
}

/**
 * The `send-mail` job: sends one email, or finds that nothing is left to do. It may be killed anywhere and run again. The mail
 * keeps its Message-ID, so that a receiver can tell that two are the same.
 */
export async function sendMail(deps: Platform, { mail_id: id }: { mail_id: string }): Promise<void> {
  const { db, clock, settings } = deps;
  const mail = await findMail(db, id);
  if (mail?.status !== 'queued' || mail.sealed === null) return;
  // This comes first: a test site sends nothing outside itself, even if its settings name a mail server.
  if (settings.mode === 'test') return updateCaptured(db, id, clock.now());
  const content = opened(deps, id, mail.sealed);
  if (typeof content === 'string') return fail(deps, id, content);
  const waitedMs = clock.now().getTime() - mail.createdAt.getTime();
  if (settings.smtpUrl === undefined && waitedMs > maxWaitMs) return fail(deps, id, noMailServer);
  if (await findBlockingReason(db, mailServer, clock.now()))
    return inTransaction(db, (trx) => retryIn(trx, id, probeEveryMs / 1000));
  const attempt = await startAttempt(db, id);
  if (attempt === undefined) return;
  if (attempt > maxAttempts)
    return fail(deps, id, 'The site stopped in the middle of the last attempt to send it.');
  // No transaction is open while a slow server is waited for: it would hold a connection.
  const posted = await postMail(settings, content, { id, at: mail.createdAt });
  if (posted.outcome !== 'sent')
    deps.log.warn({ mail: id, attempt, reason: posted.reason }, 'an email was not sent');
  await inTransaction(db, (trx) => recordResult(trx, deps, { id, attempt }, posted));
}

async function recordResult(
  trx: Trx,
  deps: Platform,
  { id, attempt }: { id: string; attempt: number },
  { outcome, reason, away }: Posted,
): Promise<void> {
  const at = deps.clock.now();
  if (outcome === 'site-refused') {
    // The mail is not at fault, and waits until the server accepts the site again.
    await noteTrouble(trx, { connection: mailServer, kind: 'refuses', reason }, at);
    await uncountAttempt(trx, id);
    return retryIn(trx, id, probeEveryMs / 1000);
  }
  if (outcome === 'sent' || outcome === 'refused') await noteWorking(trx, mailServer, at);
  if (away) await noteTrouble(trx, { connection: mailServer, kind: 'away', reason }, at);
  if (outcome === 'sent') return updateFinished(trx, id, { status: 'sent', reason: null, at });
  if (outcome === 'refused') return fail(deps, id, reason, trx);
  if (attempt === maxAttempts) return fail(deps, id, `${reason} It was tried ${maxAttempts} times.`, trx);
  await retryIn(trx, id, pauseAfter(attempt));
}

function retryIn(trx: Trx, id: string, inSeconds: number): Promise<void> {
  const payload = { mail_id: id, receiver: theMailServer };
  return addKeyedJob(trx, 'send-mail', payload, { key: `mail ${id}`, inSeconds });
}

/** The mail, or the reason why it can never be sent. */
function opened({ secrets }: Platform, id: string, sealed: Buffer): Mail | string {
  try {
    const mail = openMail(secrets, id, sealed);
    return isMailAddress(mail.to) ? mail : 'Its address is not one that email can be sent to.';
  } catch {
    return 'It was written under another site key and cannot be read.';
  }
}

async function fail({ db, clock, log }: Platform, id: string, reason: string, trx: Db = db): Promise<void> {
  log.error({ mail: id, reason }, 'an email is given up');
  await updateFinished(trx, id, { status: 'failed', reason, at: clock.now() });
}
