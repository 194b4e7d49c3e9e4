import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { type Attachment, findAttachment } from './attachments-store.ts';
import type { ReferralDeps } from './deps.ts';
import { lookInside } from './look-at.ts';

/** @throws Problem `not-found`; `forbidden` for an operator who has not opened the referral. */
export async function readAttachment(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, id, address }: { referralId: string; id: string; address: string },
): Promise<Attachment & { content: Buffer }> {
  return inTransaction(deps.db, async (trx) => {
    const { referral } = await lookInside(trx, caller, referralId, deps.clock.now());
    const attachment = isUuid(id) ? await findAttachment(trx, referral.id, id) : undefined;
    if (!attachment) throw new Problem(notFound);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, address),
      action: 'referral.attachment_read',
      subject: { type: 'referral', id: referral.id },
      details: { attachment: attachment.id },
    });
    return attachment;
  });
}
