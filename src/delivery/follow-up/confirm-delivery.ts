import { Type } from 'typebox';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { type App, anyone, page } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { setSeen } from '../../referrals/index.ts';
import { readConfirmationToken } from '../channels/confirmation-link.ts';
import { applyReport } from './apply-report.ts';
import { type ConfirmableDelivery, findConfirmable, lockDelivery } from './follow-up-store.ts';

const linkLifetimeMs = 30 * dayMs;

/** The delivery of a link, and whether the link has expired; undefined for a link that this site did not make. */
async function readConfirmation(
  deps: Platform,
  token: string,
): Promise<(ConfirmableDelivery & { expired: boolean }) | undefined> {
  const messageId = readConfirmationToken(deps, token);
  const found = messageId && (await findConfirmable(deps.db, messageId));
  if (!found) return undefined;
  return { ...found, expired: deps.clock.now().getTime() - found.createdAt.getTime() > linkLifetimeMs };
}

/** Marks a message as confirmed by its receiver. A second time changes nothing. */
async function confirmDelivery(deps: Platform, token: string, ipAddress: string): Promise<void> {
  const found = await readConfirmation(deps, token);
  if (!found || found.expired) return;
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    // Before the delivery is locked: answering a referral locks the referral first, too.
    if (found.receiverKind === 'service')
      await setSeen(trx, found.referralId, { name: found.recipientName, at });
    const detail = `${found.recipientName} confirmed it by the link in the message.`;
    const delivery = await lockDelivery(trx, found.id);
    if (!delivery || !(await applyReport(trx, delivery, { status: 'acknowledged', detail }, at))) return;
    await recordAudit(trx, {
      at,
      actor: { name: 'the receiver of the message', ipAddress },
      action: 'delivery.confirmed',
      subject: { type: 'referral', id: found.referralId },
      details: { delivery: found.id },
    });
  });
}

/**
 * The page of the link in an email. Opening it confirms nothing, because virus scanners open every link: a person must
 * press the button.
 */
export function confirmationPages(app: App, deps: WebPlatform): void {
  const config = page(anyone, { countsAsCall: true });
  const params = Type.Object({ token: Type.String({ maxLength: 200 }) });
  app.get('/confirm/:token', { config, schema: { params } }, async (request, reply) => {
    const { token } = request.params;
    const found = await readConfirmation(deps, token);
    if (!found) throw new Problem(notFound);
    return deps.pages.send(request, reply, 'delivery/templates/confirm.njk', {
      ...found,
      token,
      confirmed: found.status === 'acknowledged',
    });
  });

  app.post('/confirm/:token', { config, schema: { params } }, async (request, reply) => {
    const { token } = request.params;
    await confirmDelivery(deps, token, request.ip);
    return reply.redirect(`/confirm/${encodeURIComponent(token)}`, 303);
  });
}
