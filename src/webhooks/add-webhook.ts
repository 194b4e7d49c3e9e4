import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { newSigningSecret } from '../platform/outbound/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Problem } from '../platform/problem/index.ts';
import { checkWebhook } from './check-webhook.ts';
import { tooManyWebhooks } from './problems.ts';
import { mostWebhooks, type Webhook } from './webhook.ts';
import { countWebhooks, insertWebhook } from './webhooks-store.ts';

export type NewWebhook = Pick<Webhook, 'url' | 'eventTypes' | 'description'>;

/**
 * Has an address told of what happens from now on. @returns it with its secret, which can be had here and never again.
 * @throws Problem `unprocessable`, `too-many-webhooks`.
 */
export async function addWebhook(
  deps: Platform,
  caller: Caller,
  given: NewWebhook,
  address: string,
): Promise<{ webhook: Webhook; secret: string }> {
  checkWebhook(deps, given);
  const at = deps.clock.now();
  const id = newId(at.getTime());
  const secret = newSigningSecret();
  return inTransaction(deps.db, async (trx) => {
    if ((await countWebhooks(trx, caller.accountId)) >= mostWebhooks) throw new Problem(tooManyWebhooks);
    const sealed = deps.secrets.seal('webhook', id, secret);
    const webhook = await insertWebhook(trx, {
      ...given,
      id,
      accountId: caller.accountId,
      secret: sealed,
      at,
    });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'webhook.added',
      subject: { type: 'webhook', id },
      details: { host: new URL(given.url).host, event_types: given.eventTypes },
    });
    return { webhook, secret };
  });
}
