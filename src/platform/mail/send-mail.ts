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
import { waitsForCheck } from './held-for-check.ts';
import { isMailAddress, type Mail } from './mail.ts';
import { findMail, markCaptured, markFinished, startAttempt, uncountAttempt } from './mails-store.ts';
import { openMail } from './sealed-mail.ts';
import { mailServerSystem, type SendResult, sendBySmtp } from './smtp.ts';

const mailServer = 'mail-server';
const firstPauseSeconds = minuteMs / secondMs;
const maxPauseSeconds = (4 * hourMs) / secondMs;

/** With the pauses between them this is about five days, as RFC 5321 has it (section 4.5.4.1). */
const maxAttempts = 38;

/** How long mails wait on a live site that has no mail server. */
const maxWaitMs = 5 * dayMs;

/** One minute, which is what greylisting asks for, then twice as long each time, up to four hours. */
export function pauseSecondsAfter(attempt: number): number {
  return Math.min(firstPauseSeconds * 2 ** (attempt - 1), maxPauseSeconds);
}

/**
 * The `send-mail` job: sends one email, or finds that nothing is left to do. It may be killed anywhere and run again. The mail
 * keeps its Message-ID, so that a receiver can tell that two are the same.
 */
export async function sendMail(deps: Platform, { mail_id: id }: { mail_id: string }): Promise<void> {
  const { db, clock, settings } = deps;
  const mail = await findMail(db, id);
  if (mail?.status !== 'queued' || mail.sealed === null) return;
  if (await waitsForCheck(db, mail.id)) return;
  // A test site sends nothing outside itself, even if its settings name a mail server.
  if (settings.mode === 'test') return markCaptured(db, id, clock.now());
  const opened = openOrExplain(deps, id, mail.sealed);
  if (!opened.mail) return giveUp(db, deps, id, opened.reason);
  const waitedMs = clock.now().getTime() - mail.createdAt.getTime();
  if (settings.smtpUrl === undefined && waitedMs > maxWaitMs) return giveUp(db, deps, id, noMailServerReason);
  if (await takeProbeOrFindRefusal(db, mailServer, clock.now()))
    return inTransaction(db, (trx) => retryIn(trx, id, probeEveryMs / secondMs));
  const attempt = await startAttempt(db, id);
  if (attempt === undefined) return;
  if (attempt > maxAttempts)
    return giveUp(db, deps, id, 'The site stopped in the middle of the last attempt to send it.');
  // No transaction is open while a slow server is waited for: it would hold a connection.
  const result = await sendBySmtp(settings, opened.mail, { id, at: mail.createdAt });
  if (result.outcome !== 'sent')
    deps.log.warn({ mail: id, attempt, reason: result.reason }, 'an email was not sent');
  await inTransaction(db, (trx) => recordResult(trx, deps, { id, attempt }, result));
}

async function recordResult(
  trx: Trx,
  deps: Platform,
  { id, attempt }: { id: string; attempt: number },
  { outcome, reason, isUnreachable }: SendResult,
): Promise<void> {
  const at = deps.clock.now();
  if (outcome === 'site-refused') {
    // The mail is not at fault, and waits until the server accepts the site again.
    await recordConnectionFailure(trx, { connection: mailServer, kind: 'refuses', reason }, at);
    await uncountAttempt(trx, id);
    return retryIn(trx, id, probeEveryMs / secondMs);
  }
  if (outcome === 'sent' || outcome === 'refused') await recordConnectionWorking(trx, mailServer, at);
  if (isUnreachable) await recordConnectionFailure(trx, { connection: mailServer, kind: 'away', reason }, at);
  if (outcome === 'sent') return markFinished(trx, id, { status: 'sent', reason: null, at });
  if (outcome === 'refused') return giveUp(trx, deps, id, reason);
  if (attempt === maxAttempts) return giveUp(trx, deps, id, `${reason} It was tried ${maxAttempts} times.`);
  await retryIn(trx, id, pauseSecondsAfter(attempt));
}

function retryIn(trx: Trx, id: string, inSeconds: number): Promise<void> {
  const payload = { mail_id: id, receiver: mailServerSystem };
  return addKeyedJob(trx, 'send-mail', payload, { key: `mail ${id}`, inSeconds });
}

type OpenedMail = { mail: Mail } | { mail: undefined; reason: string };

/** The mail, or the reason why it can never be sent. */
function openOrExplain({ secrets }: Platform, id: string, sealed: Buffer): OpenedMail {
  try {
    const mail = openMail(secrets, id, sealed);
    if (isMailAddress(mail.to)) return { mail };
    return { mail: undefined, reason: 'Its address is not one that email can be sent to.' };
  } catch {
    return { mail: undefined, reason: 'It was written under another site key and cannot be read.' };
  }
}

async function giveUp(db: Db, { clock, log }: Platform, id: string, reason: string): Promise<void> {
  log.error({ mail: id, reason }, 'an email was given up');
  await markFinished(db, id, { status: 'failed', reason, at: clock.now() });
}
