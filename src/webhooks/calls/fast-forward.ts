import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findNextCallTime } from '../model/calls-store.ts';
import { fastForwardCalls, listWebhooksOf, lockWebhooks } from '../model/webhooks-store.ts';
import { scheduleCalls } from './schedule-calls.ts';

/** On a test site: as if `ms` had passed for the webhooks of an account. Those that are due then are called. */
export async function fastForwardWebhooks(
  trx: Trx,
  deps: Platform,
  accountId: string,
  ms: number,
): Promise<void> {
  const ids = (await listWebhooksOf(trx, accountId)).map(({ id }) => id);
  const existingIds = [...(await lockWebhooks(trx, ids))];
  await fastForwardCalls(trx, existingIds, ms);
  for (const id of existingIds) await scheduleCalls(trx, deps, id);
}

/** When each webhook of an account that has something to send is called next. */
export async function listNextCalls(trx: Trx, accountId: string): Promise<{ webhookId: string; at: Date }[]> {
  const calls: { webhookId: string; at: Date }[] = [];
  for (const { id } of await listWebhooksOf(trx, accountId)) {
    const next = await findNextCallTime(trx, id);
    if (next) calls.push({ webhookId: id, at: next.at });
  }
  return calls;
}
