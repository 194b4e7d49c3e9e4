import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit, recordAudits } from '../../audit/index.ts';
import { momentOf } from '../../platform/clock/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import {
  type App,
  listOf,
  listQuery,
  nameListParameter,
  noOtherFields,
  noToken,
  type PagedList,
  type PagedListQuery,
  pageOfRows,
  problemAnswers,
  readIdCursor,
  splitNames,
  withToken,
} from '../../platform/http/index.ts';
import { badRequest, Problem } from '../../platform/problem/index.ts';
import { recordAccessByList, recordAccessBySearch, type SearchedPerson } from '../model/access/looks.ts';
import { foundAuditEntries, requireAnonymousReason } from '../model/access/operator-reason.ts';
import { sidesOf, type Visibility, visibilityOf } from '../model/access/sides.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { londonDate } from '../model/due/dates.ts';
import { type PresentedReferral, presentReferral } from '../model/presentation/present.ts';
import { loadDetails } from '../model/presentation/referral-details.ts';
import { type Draft, type Referral, referralStatuses } from '../model/referral.ts';
import { tags } from '../model/schemas/route-parts.ts';
import type { Side } from '../model/status/state-machine.ts';
import { listReferrals, type PatientFilter } from './list-store.ts';

export type ListRequest = PagedListQuery & {
  direction?: 'made' | 'received' | undefined;
  statuses?: readonly string[] | undefined;
  serviceId?: string | undefined;
  updatedAfter?: Date | undefined;
  overdue?: boolean | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  /** Only referrals of one person: see search-referrals.ts. */
  patient?: PatientFilter | undefined;
  /** The person as typed into the search. */
  typedPerson?: SearchedPerson | undefined;
  /** Why an operator searches for that person. */
  reason?: string | undefined;
  ipAddress: string;
};

/** A referral with the sides that the caller is on. */
export type ListedReferral = { referral: PresentedReferral; sides: readonly Side[] };

/**
 * A page of the referrals that the caller may see, newest first. The listing is audited.
 * @throws Problem `bad-request` for a cursor that is not one of ours.
 */
export async function listVisibleReferrals(
  deps: ReferralDeps,
  caller: Caller,
  request: ListRequest,
): Promise<PagedList<ListedReferral>> {
  const { serviceId, updatedAfter, patient, reason, limit } = request;
  const now = deps.clock.now();
  const beforeId = readIdCursor(request.cursor, patient ? '/cursor' : undefined);
  const overdueAt = request.overdue ? { now, today: londonDate(now) } : undefined;
  return inTransaction(deps.db, async (trx) => {
    const filter = {
      visibility: visibilityFor(caller, request.direction),
      statuses: request.statuses,
      ofService: serviceId === undefined ? undefined : { id: serviceId, accountId: caller.accountId },
      updatedAfter,
      overdueAt,
      patient,
      ids: request.ids,
      beforeId,
      limit: limit + 1,
    };
    const { items, next_cursor } = pageOfRows(await listReferrals(trx, filter), limit);
    const ids = items.map((referral) => referral.id);
    await recordAudit(trx, {
      at: now,
      actor: actorOf(caller, request.ipAddress),
      action: patient ? 'referral.searched' : 'referral.listed',
      details: { referrals: ids, ...(reason !== undefined && { reason }) },
    });
    const readable = items.filter((referral) => sidesOf(caller, referral).length > 0);
    await recordAccessByList(trx, caller, readable, now);
    // The pages that follow are the same search.
    if (request.typedPerson && beforeId === undefined)
      await recordAccessBySearch(trx, deps, caller, {
        person: request.typedPerson,
        referrals: items,
        at: now,
      });
    if (reason !== undefined) {
      for (const { content } of items) requireAnonymousReason(reason, content);
      const actor = actorOf(caller, request.ipAddress);
      await recordAudits(trx, foundAuditEntries(items, { at: now, actor, reason }));
    }
    return { items: await presentListedReferrals(trx, deps, caller, items, now), next_cursor };
  });
}

/** Referrals as the caller may see them. */
export async function presentListedReferrals(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  referrals: readonly (Referral | Draft)[],
  now: Date,
): Promise<ListedReferral[]> {
  const views = referrals.map((referral) => ({ caller, referral }));
  const details = await loadDetails(trx, deps, views, now);
  return referrals.map((referral) => ({
    referral: presentReferral(caller, referral, details),
    sides: sidesOf(caller, referral),
  }));
}

/** With a direction, operators too see only the referrals of their own organisation. */
export function visibilityFor(caller: Caller, direction: ListRequest['direction']): Visibility {
  const visibility = visibilityOf(caller);
  if (direction === undefined) return visibility;
  return direction === 'made'
    ? { ...visibility, allSentReferrals: false, receivedBy: null }
    : { ...visibility, allSentReferrals: false, madeByOrganisation: null, madeByAccount: null };
}

const serviceId = Type.String({ maxLength: 200, description: 'The id of a service.' });

const querystring = Type.Object(
  {
    direction: Type.Optional(
      Type.Enum(['made', 'received'], {
        title: 'ReferralDirection',
        description: 'Those you made, or those to your services; both when left out.',
      }),
    ),
    status: nameListParameter(referralStatuses, 'One status or several'),
    service_id: Type.Optional(serviceId),
    service: Type.Optional({ ...serviceId, description: 'The same as service_id.' } as typeof serviceId),
    updated_after: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Only those whose `updated_at` is after this moment, among them the restricted and the erased: 2026-11-21T09:30:00Z, or 2026-11-21 for its beginning in UTC. If you poll, overlap by a minute: a change is dated when its transaction begins, shortly before you can see it.',
      }),
    ),
    overdue: Type.Optional(
      Type.Boolean({
        description:
          'true: only those that the service should have answered by now, or whose next_date has passed.',
      }),
    ),
    ...listQuery,
  },
  noOtherFields,
);

export function listRoute(app: App, deps: ReferralDeps): void {
  app.get(
    '/api/referrals',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'listReferrals',
        tags,
        summary: 'List referrals',
        description:
          'The referrals of your organisation, newest first: those it made, and those to its services. An operator gets all of them, without what is personal or clinical.',
        querystring,
        response: {
          200: listOf(Type.Ref('Referral')),
          ...problemAnswers({ 400: 'A parameter is not known or not of the right form.', 401: noToken }),
        },
      },
    },
    async (request) => {
      const { direction, status, service, updated_after, overdue, limit = 50, cursor } = request.query;
      const { items, next_cursor } = await listVisibleReferrals(deps, requireCaller(request), {
        direction: direction as 'made' | 'received' | undefined,
        statuses: splitNames(status),
        serviceId: request.query.service_id ?? service,
        updatedAfter: readUpdatedAfter(updated_after),
        overdue,
        cursor,
        limit,
        ipAddress: request.ip,
      });
      return { items: items.map(({ referral }) => referral), next_cursor };
    },
  );
}

function readUpdatedAfter(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = momentOf(text);
  if (moment) return moment;
  const message = 'must be a moment such as 2026-11-21T09:30:00Z, or a day such as 2026-11-21';
  const errors = [{ pointer: '/query/updated_after', message }];
  throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
}
