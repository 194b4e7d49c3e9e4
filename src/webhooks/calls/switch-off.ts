import { findAccount, findAccountContact } from '../../accounts/index.ts';
import { recordAudit, siteActor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { contactOf } from '../../platform/settings/index.ts';
import { findEnabledWebhook, markSwitchedOff, resetFailures } from '../model/webhooks-store.ts';

const why = {
  gone: 'It answered 410, which asks us to stop.',
  failing: 'Every call failed for three days.',
};

/** Switches off a webhook that no longer works, and tells its holder by email. Does nothing when it is off already. */
export async function switchOffAndTell(
  trx: Trx,
  deps: Platform,
  webhookId: string,
  reason: keyof typeof why,
): Promise<void> {
  const webhook = await findEnabledWebhook(trx, webhookId);
  if (!webhook) return;
  const at = deps.clock.now();
  await markSwitchedOff(trx, webhookId, reason, at);
  await resetFailures(trx, webhookId, at);
  const subject = { type: 'webhook', id: webhookId };
  await recordAudit(trx, {
    at,
    actor: siteActor,
    action: 'webhook.switched_off',
    subject,
    details: { reason },
  });
  const account = await findAccount(trx, webhook.accountId);
  const holder = account && (await findAccountContact(trx, account));
  if (!holder) return;
  const { siteName, baseUrl } = deps.settings;
  const paragraphs = [
    `Hello ${holder.name},`,
    `${siteName} has switched off ${account.isSystem ? `a webhook of the system ${account.name}` : 'one of your webhooks'}, and sends it nothing more.`,
    `The host that it calls: ${new URL(webhook.url).host}`,
    why[reason],
    `When your system works again, switch the webhook on ${account.isSystem ? 'with a call of the API' : `at ${baseUrl}/webhooks/${webhookId}`}: what waits for it, no ` +
      'longer than three days, is sent then. Everything of the last thirty days can be read or sent again as well.',
    `Questions? Ask ${contactOf(deps.settings)}.`,
  ];
  await mailPeople(trx, deps, { to: [holder.email], subject: 'Your webhook was switched off', paragraphs });
}
