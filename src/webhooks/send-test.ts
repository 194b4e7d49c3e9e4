import type { Caller } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type PresentedEvent, presentEvent } from './event.ts';
import { testEvent } from './event-types.ts';
import { insertMessages } from './messages-store.ts';
import { lockOwnWebhook } from './own-webhook.ts';
import { messageOf } from './queue-messages.ts';
import { scheduleCalls } from './schedule-calls.ts';

/**
 * Queues an event that means nothing, for this webhook alone, on or off; what comes of it is in its log.
 * @throws Problem `not-found`.
 */
export async function sendTest(deps: Platform, caller: Caller, id: string): Promise<PresentedEvent> {
  const at = deps.clock.now();
  const event = {
    ...testEvent,
    id: newId(at.getTime()),
    createdAt: at,
    resourceType: testEvent.resource,
    resourceId: id,
    path: `/api/webhooks/${id}`,
  };
  await inTransaction(deps.db, async (trx) => {
    await lockOwnWebhook(trx, caller, id);
    await insertMessages(trx, [messageOf(deps, id, event)], at);
    await scheduleCalls(trx, deps, id);
  });
  return presentEvent(deps.settings.baseUrl, event);
}
