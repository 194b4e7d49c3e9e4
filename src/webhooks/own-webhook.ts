import type { Caller } from '../accounts/index.ts';
import type { Db, Trx } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import type { Webhook } from './webhook.ts';
import { findWebhook, lockWebhook } from './webhooks-store.ts';

/** @throws Problem `not-found`, also for a webhook of somebody else's. */
export async function readOwnWebhook(db: Db, caller: Caller, id: string): Promise<Webhook> {
  return orNotFound(isUuid(id) ? await findWebhook(db, caller.accountId, id) : undefined);
}

/** The same, locked until the transaction ends. */
export async function lockOwnWebhook(trx: Trx, caller: Caller, id: string): Promise<Webhook> {
  return orNotFound(isUuid(id) ? await lockWebhook(trx, caller.accountId, id) : undefined);
}

function orNotFound(webhook: Webhook | undefined): Webhook {
  if (!webhook) throw new Problem(notFound);
  return webhook;
}
