import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { type Db, inTransaction } from '../platform/database/index.ts';
import { listAttachments } from './attachments-store.ts';
import { type Page, type PageRequest, pageOf, readCursor } from './cursor.ts';
import type { ReferralDeps } from './deps.ts';
import { lookAsReferrer, lookInside } from './look-at.ts';
import { listMessages } from './messages-store.ts';
import { listOpenings } from './openings-store.ts';

type PartsRequest = PageRequest & { referralId: string; address: string };

type List<T> = (
  db: Db,
  referralId: string,
  page: { beforeId?: string | undefined; limit: number },
) => Promise<T[]>;

/** A list that belongs to a referral, newest first; that somebody read it is written down. */
function partsOf<T extends { id: string }>(action: string, look: typeof lookInside, list: List<T>) {
  return async (deps: ReferralDeps, caller: Caller, request: PartsRequest): Promise<Page<T>> => {
    const { referralId, address, cursor, limit } = request;
    const beforeId = readCursor(cursor);
    const at = deps.clock.now();
    return inTransaction(deps.db, async (trx) => {
      const { referral } = await look(trx, caller, referralId, at);
      const subject = { type: 'referral', id: referral.id };
      await recordAudit(trx, { at, actor: actorOf(caller, address), action, subject });
      return pageOf(await list(trx, referral.id, { beforeId, limit: limit + 1 }), limit);
    });
  };
}

export const listReferralMessages = partsOf('referral.messages_read', lookInside, listMessages);
export const listReferralAttachments = partsOf('referral.attachments_listed', lookInside, listAttachments);
/** Who of the site's operators looked at what is clinical, and why. */
export const listReferralOpenings = partsOf('referral.openings_read', lookAsReferrer, listOpenings);
