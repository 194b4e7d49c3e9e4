import { mailOperators } from '../../accounts/index.ts';
import { daysLater, localTime } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { mailAddressIn, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { lookWords } from './look-words.ts';
import { countToCheck, findNoticed, insertNoticed } from './store.ts';

/** Four weeks, so that a site that was away for some Mondays misses nothing. What was noticed before is not noticed again. */
const daysBack = 28;
/**
 * The `notice-looks` job, each Monday morning: puts on the list what the Caldicott guardian should look into, and tells them how much
 * there is. Where the setting has no email address, operators are told.
 */
export async function noticeLooks(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  const { day } = localTime(at);
  await inTransaction(deps.db, async (trx) => {
    const days = { from: daysLater(day, -daysBack).date, before: day.date };
    // Below these, searches that find nobody are misspelt names, and reading without acting is normal on call.
    const { looksMisses: minMisses, looksWithoutAction: minWithoutAction } = deps.settings;
    for (const noticed of await findNoticed(trx, days, { minMisses, minWithoutAction }))
      await insertNoticed(trx, { ...noticed, id: newId(at.getTime()), at });
    const counts = await countToCheck(trx);
    if (counts.length === 0) return;
    const guardian = mailAddressIn(deps.settings.caldicottGuardian);
    const mail = compose(deps.settings, counts);
    if (guardian === undefined) await mailOperators(trx, deps, mail);
    else await mailPeople(trx, deps, { to: [guardian], ...mail });
  });
}

function compose(settings: Platform['settings'], counts: Awaited<ReturnType<typeof countToCheck>>) {
  const count = counts.reduce((sum, each) => sum + each.count, 0);
  const paragraphs = [
    `Looks at people’s records that somebody should look into: ${count}. The oldest is of ${dayInWords(counts.map(({ oldest }) => oldest).toSorted()[0]!)}.`,
    counts.map(({ reason, count: each }) => `${lookWords[reason]}: ${each}`).join('\n'),
    `Operators can read the list here:\n\n${settings.baseUrl}/operator/looks`,
    `If you have no account here, ask an operator to go through it with you: ${contactOf(settings)}. Each look needs the audit, which only operators can read, and nobody settles a look of their own.`,
    'The list names staff and no patients. You get this email each Monday until all of them have been looked into.',
  ];
  return { subject: `Looks to look into: ${count}`, paragraphs };
}
