import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { NewWebhook } from './add-webhook.ts';
import { checkWebhook } from './check-webhook.ts';
import { lockOwnWebhook, readOwnWebhook } from './own-webhook.ts';
import { scheduleCalls } from './schedule-calls.ts';
import type { Webhook } from './webhook.ts';
import { startAnew, updateOnOff, updateWebhook } from './webhooks-store.ts';

export type WebhookChange = {
  [Field in keyof NewWebhook]?: NewWebhook[Field] | undefined;
} & { enabled?: boolean | undefined };

/**
 * Changes a webhook, or switches it off or on again. Once it is on again, or has another address, what waits for it, no
 * longer than three days, is sent: the failures before that tell nothing of how it is now.
 * @throws Problem `not-found`, `unprocessable`.
 */
export async function changeWebhook(
  deps: Platform,
  caller: Caller,
  id: string,
  change: WebhookChange,
  address: string,
): Promise<Webhook> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const before = await lockOwnWebhook(trx, caller, id);
    const {
      enabled,
      url = before.url,
      eventTypes = before.eventTypes,
      description = before.description,
    } = change;
    const after = { ...before, url, eventTypes, description };
    checkWebhook(deps, after);
    await updateWebhook(trx, after, at);
    const turned = enabled !== undefined && enabled !== (before.offAt === null);
    if (turned) await updateOnOff(trx, id, enabled ? null : 'by-hand', at);
    if (turned || url !== before.url) await startAnew(trx, id, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: turned ? `webhook.switched_${enabled ? 'on' : 'off'}` : 'webhook.changed',
      subject: { type: 'webhook', id },
      details: { host: new URL(url).host, event_types: eventTypes },
    });
    await scheduleCalls(trx, deps, id);
    return readOwnWebhook(trx, caller, id);
  });
}
