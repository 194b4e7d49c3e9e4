import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import { badRequest, Problem } from '../platform/problem/index.ts';
import { type WaysOfSeeing, waysOfSeeing } from './access.ts';
import type { ReferralDeps } from './deps.ts';
import { listReferrals } from './list-store.ts';
import { type PresentedReferral, presentReferral } from './present.ts';

export type ListRequest = {
  direction?: 'made' | 'received' | undefined;
  statuses?: readonly string[] | undefined;
  serviceId?: string | undefined;
  updatedAfter?: Date | undefined;
  cursor?: string | undefined;
  limit: number;
  address: string;
};

/**
 * The caller's referrals, newest first, a page at a time. That they were listed is written down.
 * @throws Problem `bad-request` for a cursor that is not one of ours.
 */
export async function listOwnReferrals(
  deps: ReferralDeps,
  caller: Caller,
  request: ListRequest,
): Promise<{ items: PresentedReferral[]; next_cursor: string | null }> {
  const { statuses, serviceId, updatedAfter, limit } = request;
  const beforeId = readCursor(request.cursor);
  return inTransaction(deps.db, async (trx) => {
    const ways = waysFor(caller, request.direction);
    const filter = { ways, statuses, serviceId, updatedAfter, beforeId, limit: limit + 1 };
    const found = await listReferrals(trx, filter);
    const shown = found.slice(0, limit);
    const ids = shown.map((referral) => referral.id);
    const told = await deps.referralListener.summaries(trx, ids);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, request.address),
      action: 'referral.listed',
      details: { referrals: ids },
    });
    return {
      items: shown.map((referral) => presentReferral(caller, referral, told.get(referral.id) ?? [])),
      next_cursor: found.length > limit ? cursorAfter(shown.at(-1)!.id) : null,
    };
  });
}

/** An operator who asks for one direction asks as somebody on that side, and sees only their own. */
function waysFor(caller: Caller, direction: ListRequest['direction']): WaysOfSeeing {
  const ways = waysOfSeeing(caller);
  if (direction === undefined) return ways;
  return direction === 'made'
    ? { ...ways, everything: false, receivedBy: null }
    : { ...ways, everything: false, madeByOrganisation: null, madeByAccount: null };
}

function cursorAfter(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (isUuid(id)) return id;
  const errors = [{ pointer: '/query/cursor', message: 'must be the next_cursor of an earlier answer' }];
  throw new Problem(badRequest, 'Start from the beginning by leaving the cursor out.', { errors });
}
