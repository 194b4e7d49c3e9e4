import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newSigningSecret } from '../platform/outbound/index.ts';
import type { Platform } from '../platform/platform.ts';
import { lockOwnWebhook } from './own-webhook.ts';
import { overlapMs } from './webhook.ts';
import { updateSecret } from './webhooks-store.ts';

/**
 * Gives a webhook a new secret, which can be had here and never again. For a day the one before signs beside it, so that
 * a receiver can change over without refusing anything. @throws Problem `not-found`.
 */
export async function rotateSecret(
  deps: Platform,
  caller: Caller,
  id: string,
  address: string,
): Promise<{ secret: string; previousSecretUntil: Date }> {
  const at = deps.clock.now();
  const until = new Date(at.getTime() + overlapMs);
  const secret = newSigningSecret();
  await inTransaction(deps.db, async (trx) => {
    await lockOwnWebhook(trx, caller, id);
    await updateSecret(trx, id, { secret: deps.secrets.seal('webhook', id, secret), until, at });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'webhook.secret_changed',
      subject: { type: 'webhook', id },
    });
  });
  return { secret, previousSecretUntil: until };
}
