import type { Log } from '../log/index.ts';
import type { Settings } from '../settings/index.ts';

/** A live site may run without email, but not without anybody knowing. */
export function warnWithoutMailServer({ mode, smtpUrl }: Settings, log: Log): void {
  if (mode === 'test' || smtpUrl !== undefined) return;
  log.warn(
    'ONWARD_SMTP_URL is not set: this site sends no email, so nobody can be invited, and nobody who forgot a ' +
      'password can get a new one by email',
  );
}
