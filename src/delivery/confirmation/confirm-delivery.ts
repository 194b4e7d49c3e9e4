import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { lockDelivery } from '../news-store.ts';
import { noteNews } from '../take-news.ts';
import { type ConfirmableDelivery, findConfirmable } from './confirmation-store.ts';
import { readConfirmationToken } from './link.ts';

const day = 86_400_000;
/** For how long a link works after its message was made. */
const linkLastsMs = 30 * day;

/** What a link is about and whether it still can be used; undefined for one that this site has not made. */
export async function readConfirmation(
  deps: Platform,
  token: string,
): Promise<(ConfirmableDelivery & { ended: boolean }) | undefined> {
  const messageId = readConfirmationToken(deps, token);
  const found = messageId && (await findConfirmable(deps.db, messageId));
  if (!found) return undefined;
  return { ...found, ended: deps.clock.now().getTime() - found.createdAt.getTime() > linkLastsMs };
}

/** Whoever has the message says that they have it. Saying so again changes nothing. */
export async function confirmDelivery(deps: Platform, token: string, address: string): Promise<void> {
  const found = await readConfirmation(deps, token);
  if (!found || found.ended) return;
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const detail = `${found.recipientName} confirmed it by the link in the message.`;
    const delivery = await lockDelivery(trx, found.id);
    if (!delivery || !(await noteNews(trx, delivery, { status: 'acknowledged', detail }, at))) return;
    await recordAudit(trx, {
      at,
      actor: { name: 'the receiver of the message', address },
      action: 'delivery.confirmed',
      subject: { type: 'referral', id: found.referralId },
      details: { delivery: found.id },
    });
  });
}
