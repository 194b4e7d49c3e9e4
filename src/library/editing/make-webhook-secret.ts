import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newSigningSecret } from '../../platform/outbound/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { saveDeliverySecret } from '../delivery-addresses-store.ts';
import type { EditDeps } from './deps.ts';
import { openForEdit } from './edit-service.ts';
import { noteSettingsChanged } from './settings-store.ts';

/**
 * Makes a new secret that messages to a service's own system are signed with; the one before it ends. @returns the
 * secret, which can be had here and never again.
 * @throws Problem `not-found`, `forbidden`, `unprocessable`.
 */
export function makeWebhookSecret(
  deps: EditDeps,
  caller: Caller,
  { id, address }: { id: string; address: string },
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
    // Before there is one, nothing can be sent there (reach-store.ts).
    await noteSettingsChanged(trx, id, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'service.webhook_secret_made',
      subject: { type: 'service', id },
    });
    return secret;
  });
}
