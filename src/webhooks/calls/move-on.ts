import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findNextTime } from '../model/messages-store.ts';
import { bringForward, listWebhooksOf, lockWebhooks } from '../model/webhooks-store.ts';
import { scheduleCalls } from './schedule-calls.ts';

/** On a test site: brings what is to come for the webhooks of an account nearer, and calls those that are due then. */
export async function moveWebhooksOn(trx: Trx, deps: Platform, accountId: string, ms: number): Promise<void> {
  const ids = (await listWebhooksOf(trx, accountId)).map(({ id }) => id);
  const existing = [...(await lockWebhooks(trx, ids))];
  await bringForward(trx, existing, ms);
  for (const id of existing) await scheduleCalls(trx, deps, id);
}

/** When each webhook of an account that has something to send is called next. */
export async function listNextCalls(trx: Trx, accountId: string): Promise<{ webhookId: string; at: Date }[]> {
  const calls: { webhookId: string; at: Date }[] = [];
  for (const { id } of await listWebhooksOf(trx, accountId)) {
    const next = await findNextTime(trx, id);
    if (next) calls.push({ webhookId: id, at: next.at });
  }
  return calls;
}
