import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { type Db, inTransaction } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { findAttachment } from './attachments-store.ts';
import type { ReferralDeps } from './deps.ts';
import { lookInside } from './look-at.ts';
import { findMessage } from './messages-store.ts';

type Asked = { referralId: string; id: string; address: string };
type Find<T> = (db: Db, referralId: string, id: string) => Promise<T | undefined>;

/**
 * One of what belongs to a referral; that somebody read it is written down. It throws `not-found`, `forbidden` for an
 * operator who has not opened the referral, `referral-restricted`, `referral-erased`.
 */
function partOf<T extends { id: string }>(is: 'message' | 'attachment', find: Find<T>) {
  return async (deps: ReferralDeps, caller: Caller, { referralId, id, address }: Asked): Promise<T> => {
    const at = deps.clock.now();
    return inTransaction(deps.db, async (trx) => {
      const { referral } = await lookInside(trx, caller, referralId, at);
      const part = isUuid(id) ? await find(trx, referral.id, id) : undefined;
      if (!part) throw new Problem(notFound);
      await recordAudit(trx, {
        at,
        actor: actorOf(caller, address),
        action: `referral.${is}_read`,
        subject: { type: 'referral', id: referral.id },
        details: { [is]: part.id },
      });
      return part;
    });
  };
}

export const readAttachment = partOf('attachment', findAttachment);
export const readMessage = partOf('message', findMessage);
