import { mailOperators } from '../../accounts/index.ts';
import {
  describeFailure,
  type FailureDescription,
  takeUnreported,
} from '../../platform/connections/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';

/**
 * The `report-connection-failures` job: operators get one email when a connection that the site sends through stops working. A problem
 * with the mail server itself is only on their page and in the log.
 */
export async function reportConnectionFailures(deps: Platform): Promise<void> {
  const { db, clock, log } = deps;
  await inTransaction(db, async (trx) => {
    for (const failure of await takeUnreported(trx, clock.now())) {
      const { connection, kind, reason } = failure;
      log.error({ connection, kind, reason }, 'a connection does not work');
      // An email about it would arrive only when the mail server works again.
      if (connection === 'mail-server') continue;
      await mailOperators(trx, deps, 'site', composeMail(deps.settings, describeFailure(failure)));
    }
  });
}

function composeMail(
  { baseUrl }: Platform['settings'],
  { heading, reason, consequence, remedy }: FailureDescription,
) {
  const paragraphs = [
    `${heading}.`,
    reason,
    consequence,
    remedy,
    `See what waits: ${baseUrl}/operator/deliveries?kind=held`,
    'You get one email about this, not one for each message.',
  ];
  return { subject: heading, paragraphs };
}
