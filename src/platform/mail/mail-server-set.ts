import {
  findConnectionFailure,
  listConnectionFailures,
  noMailServerReason,
  recordConnectionFailure,
  recordConnectionWorking,
} from '../connections/index.ts';
import { inTransaction } from '../database/index.ts';
import type { Platform } from '../platform.ts';
import { hasQueuedEmails } from './mails-store.ts';

/**
 * A live site may start without a mail server, but says so in the log, on each page of an operator and in its
 * metrics. When it starts with one again, it sends what was held meanwhile.
 */
export async function noteWhetherMailServerIsSet({
  settings,
  log,
  db,
  clock,
}: Omit<Platform, 'secrets'>): Promise<void> {
  if (settings.mode === 'test') return;
  if (settings.smtpUrl === undefined) {
    log.warn(
      'ONWARD_SMTP_URL is not set: this site sends no email. Letters by email are held, nobody can be invited, nobody ' +
        'who forgot a password can get a new one by email, and nobody is emailed of urgent news',
    );
    const failure = { connection: 'mail-server', kind: 'refuses', reason: noMailServerReason } as const;
    return inTransaction(db, (trx) => recordConnectionFailure(trx, failure, clock.now()));
  }
  const failure = await findConnectionFailure(db, 'mail-server');
  if (failure?.reason === noMailServerReason)
    await inTransaction(db, (trx) => recordConnectionWorking(trx, 'mail-server', clock.now()));
}

/**
 * Whether a new email would not leave now: a live site has no mail server, or one that has not worked for an hour. Then nobody
 * counts as told by an email. The emails that wait are tried again and again, which shows when the server works.
 */
export async function isMailStuck({
  settings,
  db,
  clock,
}: Pick<Platform, 'settings' | 'db' | 'clock'>): Promise<boolean> {
  if (settings.mode === 'test') return false;
  if (settings.smtpUrl === undefined) return true;
  const failures = await listConnectionFailures(db, clock.now());
  return failures.some(({ connection }) => connection === 'mail-server') && (await hasQueuedEmails(db));
}
