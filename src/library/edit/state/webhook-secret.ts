import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newSigningSecret } from '../../../platform/outbound/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { Problem, unprocessable } from '../../../platform/problem/index.ts';
import { saveDeliverySecret } from '../../channels/addresses-store.ts';
import { markSettingsChanged } from '../../channels/settings-store.ts';
import { openForEdit } from '../edit-service.ts';

/**
 * Makes a new secret that signs messages to the service's webhook; the previous one stops working. @returns the secret,
 * which is shown only once.
 * @throws Problem `not-found`, `forbidden`, `unprocessable`.
 */
export function makeWebhookSecret(
  deps: Platform,
  caller: Caller,
  { id, ipAddress }: { id: string; ipAddress: string },
): Promise<string> {
  const at = deps.clock.now();
  const secret = newSigningSecret();
  return inTransaction(deps.db, async (trx) => {
    await openForEdit(trx, caller, id);
    const sealed = deps.secrets.seal('delivery webhook', id, secret);
    const saved = await saveDeliverySecret(
      trx,
      { serviceId: id },
      { channel: 'webhook', secret: sealed, at },
    );
    if (!saved) throw new Problem(unprocessable, 'Set the address of the service’s own system first.');
    // Without a secret the webhook is not usable (see delivery-mode-store.ts), so this changes what the settings allow.
    await markSettingsChanged(trx, id, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'service.webhook_secret_made',
      subject: { type: 'service', id },
    });
    return secret;
  });
}
