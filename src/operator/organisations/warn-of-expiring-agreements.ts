import { agreementWarnDays, mailOperators, takeExpiringAgreements } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { expiriesOf, lastDayToWarnAbout } from './expiries.ts';

/**
 * The `warn-of-expiring-agreements` job: emails operators once about every sharing agreement and toolkit status that ends within 30 days.
 * Until somebody enters a new date, the list of organisations has it at the top.
 */
export async function warnOfExpiringAgreements(deps: Platform): Promise<void> {
  const { db, clock, settings } = deps;
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    const organisations = await takeExpiringAgreements(trx, lastDayToWarnAbout(at));
    if (organisations.length === 0) return;
    const lines = organisations.flatMap((organisation) =>
      expiriesOf(organisation, at).map(
        ({ what, until, hasEnded }) =>
          `${organisation.name}: ${what}, ${hasEnded ? 'ended' : 'ends'} on ${dayInWords(until)}`,
      ),
    );
    await mailOperators(trx, deps, 'site', {
      subject: 'Agreements with organisations end soon',
      paragraphs: [
        `These end within ${agreementWarnDays} days, or have ended:`,
        lines.join('\n'),
        `Enter the new dates:\n\n${settings.baseUrl}/operator/organisations`,
        'You get one email about each.',
      ],
    });
  });
}
