import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { lockOwnWebhook } from './own-webhook.ts';
import { deleteWebhook } from './webhooks-store.ts';

/** Removes a webhook with whatever waits for it, and its log. @throws Problem `not-found`. */
export async function removeWebhook(
  deps: Platform,
  caller: Caller,
  id: string,
  address: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { url } = await lockOwnWebhook(trx, caller, id);
    await deleteWebhook(trx, id);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'webhook.removed',
      subject: { type: 'webhook', id },
      details: { host: new URL(url).host },
    });
  });
}
