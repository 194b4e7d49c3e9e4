import { mailOperators } from '../../accounts/index.ts';
import { daysLater, localTime } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { mailAddressIn, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { accessReasonWords } from './access-reason-words.ts';
import { countOpenReviews, findUnusualAccess, insertAccessToReview } from './unusual-access-store.ts';

/**
 * Four weeks, so that a site that was down on some Mondays misses nothing. Access that is listed already is not
 * listed again.
 */
const daysBack = 28;

/**
 * The `report-unusual-access` job, each Monday morning: lists unusual access for the Caldicott guardian to review, and
 * emails them how much there is. If the setting has no email address, operators get the email.
 */
export async function reportUnusualAccess(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  const { day } = localTime(at);
  await inTransaction(deps.db, async (trx) => {
    const days = { from: daysLater(day, -daysBack).date, before: day.date };
    // Below these limits both are normal: misspelt names, and reading while standing in for a colleague.
    const { unusualSearchesWithoutResult: minMisses, unusualReadsWithoutAction: minWithoutAction } =
      deps.settings;
    for (const access of await findUnusualAccess(trx, days, { minMisses, minWithoutAction }))
      await insertAccessToReview(trx, { ...access, id: newId(at.getTime()), at });
    const counts = await countOpenReviews(trx);
    if (counts.length === 0) return;
    const guardian = mailAddressIn(deps.settings.caldicottGuardian);
    const mail = composeMail(deps.settings, counts);
    if (guardian === undefined) await mailOperators(trx, deps, 'record', mail);
    else await mailPeople(trx, deps, 'record', { to: [guardian], ...mail });
  });
}

function composeMail(settings: Platform['settings'], counts: Awaited<ReturnType<typeof countOpenReviews>>) {
  const count = counts.reduce((sum, each) => sum + each.count, 0);
  const paragraphs = [
    `Unusual access to records that somebody should review: ${count}. The oldest is of ${dayInWords(counts.map(({ oldest }) => oldest).toSorted()[0]!)}.`,
    counts.map(({ reason, count: each }) => `${accessReasonWords[reason]}: ${each}`).join('\n'),
    `Operators can read the list here:\n\n${settings.baseUrl}/operator/looks`,
    `If you have no account here, ask an operator to go through it with you: ${contactOf(settings)}. Each row needs the audit, which only operators can read, and nobody reviews their own access.`,
    'The list names staff and client systems, and no patients. You get this email each Monday until all of it has been reviewed.',
  ];
  return { subject: `Record access to review: ${count}`, paragraphs };
}
