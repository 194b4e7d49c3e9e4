import { mailOperators } from '../../accounts/index.ts';
import { daysLater, localTime } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { mailAddressIn, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { countToCheck, findNoticed, insertNoticed } from './store.ts';

/** Four weeks, so that a site that was away for some Mondays misses nothing. What was noticed before is not noticed again. */
const daysBack = 28;
/**
 * Limits for one day. Below them, searches that find nobody are misspelt names, and reading without acting is normal on
 * call.
 */
const limits = { minMisses: 5, minWithoutAction: 10 };

/**
 * The `notice-looks` job, each Monday morning: puts on the list what the Caldicott guardian should look into, and tells them how much
 * there is. Where the setting has no email address, operators are told.
 */
export async function noticeLooks(deps: Platform): Promise<void> {
  const at = deps.clock.now();
  const { day } = localTime(at);
  await inTransaction(deps.db, async (trx) => {
    const days = { from: daysLater(day, -daysBack).date, before: day.date };
    for (const noticed of await findNoticed(trx, days, limits))
      await insertNoticed(trx, { ...noticed, id: newId(at.getTime()), at });
    const count = await countToCheck(trx);
    if (count === 0) return;
    const guardian = mailAddressIn(deps.settings.caldicottGuardian);
    const mail = compose(deps.settings, count);
    if (guardian === undefined) await mailOperators(trx, deps, mail);
    else await mailPeople(trx, deps, { to: [guardian], ...mail });
  });
}

function compose({ baseUrl }: Platform['settings'], count: number) {
  const paragraphs = [
    `Looks at people’s records that somebody should look into: ${count}.`,
    `Operators can read the list here:\n\n${baseUrl}/operator/looks`,
    'It names staff and no patients. You get this email each Monday until all of them have been looked into.',
  ];
  return { subject: `Looks to look into: ${count}`, paragraphs };
}
