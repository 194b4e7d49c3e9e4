import { recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { actorByLink, historyActorByLink, type LinkHolder } from '../model/actors/link-holder.ts';
import { endWatches } from '../model/attention/watches-store.ts';
import type { Referral } from '../model/referral.ts';
import { updateContent } from '../model/referrals-store.ts';
import { confirmLifeChange } from './life-changes-store.ts';

/**
 * Records that the holder of a link ticked this news as read: messages, and changes of the person's life. Nobody has to be reminded of it
 * any more, and both sides and the audit know who read it.
 */
export async function noteNewsRead(
  trx: Trx,
  referral: Referral,
  news: readonly string[],
  holder: LinkHolder,
  at: Date,
): Promise<Referral> {
  const history = historyActorByLink(holder, referral);
  for (const id of news)
    await confirmLifeChange(trx, { referralId: referral.id, id }, { id: null, name: history.name }, at);
  await endWatches(trx, news);
  const details = { kind: 'news-read' as const, changes: [] };
  const updated = await updateContent(trx, referral, referral, { details, actor: history, at });
  await recordAudit(trx, {
    at,
    actor: actorByLink(holder),
    action: 'referral.news_read',
    subject: { type: 'referral', id: referral.id },
    details: { news },
  });
  return updated;
}
