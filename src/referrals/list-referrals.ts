import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { type WaysOfSeeing, waysOfSeeing } from './access.ts';
import { type Page, type PageRequest, pageOf, readCursor } from './cursor.ts';
import type { ReferralDeps } from './deps.ts';
import { listReferrals, type PatientFilter } from './list-store.ts';
import { waitingStatuses } from './own-turn-store.ts';
import { type PresentedReferral, presentReferral } from './present.ts';

export type ListRequest = PageRequest & {
  direction?: 'made' | 'received' | undefined;
  statuses?: readonly string[] | undefined;
  serviceId?: string | undefined;
  updatedAfter?: Date | undefined;
  overdue?: boolean | undefined;
  /** Only those that wait for the caller, as one who referred. */
  waiting?: boolean | undefined;
  /** Only those of one person: see search-referrals.ts. */
  patient?: PatientFilter | undefined;
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
): Promise<Page<PresentedReferral>> {
  const { waiting, serviceId, updatedAfter, patient, limit } = request;
  const now = deps.clock.now();
  const beforeId = readCursor(request.cursor, patient ? '/cursor' : undefined);
  const statuses = request.statuses ?? (waiting ? waitingStatuses : undefined);
  const dueBefore = request.overdue ? now : undefined;
  return inTransaction(deps.db, async (trx) => {
    const ways = waysFor(caller, request.direction);
    const filter = {
      ways,
      statuses,
      serviceId,
      updatedAfter,
      dueBefore,
      waitsFor: waiting ? caller.accountId : undefined,
      patient,
      beforeId,
      limit: limit + 1,
    };
    const { items, next_cursor } = pageOf(await listReferrals(trx, filter), limit);
    const ids = items.map((referral) => referral.id);
    const summaries = await deps.referralListener.summaries(trx, ids);
    await recordAudit(trx, {
      at: now,
      actor: actorOf(caller, request.address),
      action: patient ? 'referral.searched' : 'referral.listed',
      details: { referrals: ids },
    });
    const present = (referral: (typeof items)[number]) =>
      presentReferral(caller, referral, { now, told: summaries.get(referral.id) });
    return { items: items.map(present), next_cursor };
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
