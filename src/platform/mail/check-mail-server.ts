import { findConnectionFailure, noMailServer, recordConnectionWorking } from '../connections/index.ts';
import { inTransaction } from '../database/index.ts';
import type { Platform } from '../platform.ts';

/**
 * A live site may start without a mail server, but says so in the log. When it starts with one again, it sends what was held
 * meanwhile.
 */
export async function checkMailServer({
  settings,
  log,
  db,
  clock,
}: Omit<Platform, 'secrets'>): Promise<void> {
  if (settings.mode === 'test') return;
  if (settings.smtpUrl === undefined)
    return log.warn(
      'ONWARD_SMTP_URL is not set: this site sends no email. Letters by email are held, nobody can be invited, and nobody ' +
        'who forgot a password can get a new one by email',
    );
  const failure = await findConnectionFailure(db, 'mail-server');
  if (failure?.reason === noMailServer)
    await inTransaction(db, (trx) => recordConnectionWorking(trx, 'mail-server', clock.now()));
}
