import { inTransaction } from '../database/index.ts';
import { addKeyedJob } from '../jobs/index.ts';
import type { Platform } from '../platform.ts';
import { isMailAddress, type Mail } from './mail.ts';
import { findMail, startAttempt, updateCaptured, updateFinished } from './mails-store.ts';
import { openMail } from './sealed-mail.ts';
import { postMail, theMailServer } from './smtp.ts';

const minute = 60;
const longestPauseSeconds = 240 * minute;

/** With the pauses between them this is about a day: longer than most mail servers are ever away. */
const mostAttempts = 14;

/** One minute, which is what greylisting asks for, then twice as long each time, up to four hours. */
export function pauseAfter(attempt: number): number {
  return Math.min(minute * 2 ** (attempt - 1), longestPauseSeconds);
}

/**
 * The `send-mail` job: sends one email, or finds that nothing is left to do. It may be killed anywhere and run again:
 * the mail keeps its Message-ID, so that who receives it twice can tell.
 */
export async function sendMail(deps: Platform, { mail_id: id }: { mail_id: string }): Promise<void> {
  const { db, clock, settings } = deps;
  const mail = await findMail(db, id);
  if (mail?.status !== 'queued' || mail.sealed === null) return;
  // Before anything else is asked: whatever the settings name, a test site sends nothing outside itself.
  if (settings.mode === 'test') return updateCaptured(db, id, clock.now());
  const content = opened(deps, id, mail.sealed);
  if (typeof content === 'string') return fail(deps, id, content);
  const attempt = await startAttempt(db, id);
  if (attempt === undefined) return;
  if (attempt > mostAttempts)
    return fail(deps, id, 'The site stopped in the middle of the last attempt to send it.');
  // No transaction is open while a slow server is waited for: it would hold a connection.
  const { outcome, reason } = await postMail(settings, content, { id, at: mail.createdAt });
  if (outcome === 'sent') return updateFinished(db, id, { status: 'sent', reason: null, at: clock.now() });
  deps.log.warn({ mail: id, attempt, reason }, 'an email was not sent');
  if (outcome === 'refused') return fail(deps, id, reason);
  if (attempt === mostAttempts) return fail(deps, id, `${reason} It was tried ${mostAttempts} times.`);
  const again = { key: `mail ${id}`, inSeconds: pauseAfter(attempt) };
  const payload = { mail_id: id, receiver: theMailServer };
  await inTransaction(db, (trx) => addKeyedJob(trx, 'send-mail', payload, again));
}

/** The mail, or why there is no use in trying to send it. */
function opened({ settings, secrets }: Platform, id: string, sealed: Buffer): Mail | string {
  if (settings.smtpUrl === undefined) return 'This site has no mail server: ONWARD_SMTP_URL is not set.';
  try {
    const mail = openMail(secrets, id, sealed);
    return isMailAddress(mail.to) ? mail : 'Its address is not one that email can be sent to.';
  } catch {
    return 'It was written under another site key and cannot be read.';
  }
}

async function fail({ db, clock, log }: Platform, id: string, reason: string): Promise<void> {
  log.error({ mail: id, reason }, 'an email is given up');
  await updateFinished(db, id, { status: 'failed', reason, at: clock.now() });
}
