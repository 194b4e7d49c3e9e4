import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller, requireCallerIsPerson } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import {
  type App,
  listOf,
  listQuery,
  noOtherFields,
  noToken,
  type PagedList,
  type PagedListQuery,
  pageOfRows,
  problemAnswers,
  readIdCursor,
  withToken,
} from '../../platform/http/index.ts';
import { isUuid, newId } from '../../platform/ids/index.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { reasonRule, requireReason } from '../../platform/reason.ts';
import { authoriseReferrerOrOperator, lockForAnyReader } from '../model/access/access.ts';
import { isServiceHidden } from '../model/access/hide-sensitive-services.ts';
import { insertOpening, lastOpenedAt, listOpenings, type Opening } from '../model/access/openings-store.ts';
import { sidesOf, visibilityOf } from '../model/access/sides.ts';
import { addNotifications } from '../model/attention/notifications.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { londonDate } from '../model/due/dates.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { type PresentedReferral, presentReferral } from '../model/presentation/present.ts';
import { loadDetails } from '../model/presentation/referral-details.ts';
import type { Draft, Referral } from '../model/referral.ts';
import { findReferralOrDraft } from '../model/referrals-store.ts';
import { openingExample } from '../model/schemas/examples.ts';
import { longText } from '../model/schemas/new-referral.ts';
import { moment } from '../model/schemas/referral.ts';
import {
  badBody,
  idParams,
  notYours,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';

/** Long enough to help somebody on the telephone, and too short to leave the page open all day. */
const openForMs = hourMs;

/**
 * Opens a referral: for an operator, who sees what is personal and clinical for an hour, or for a colleague of the person who referred,
 * from whom the service is hidden. The referrer’s organisation can read the reason.
 * @throws Problem `unprocessable` for too short a reason, `forbidden` for anybody else, `needs-person`, `not-found`,
 * `referral-restricted`, `referral-erased`.
 */
export async function openReferral(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, reason: givenReason, ipAddress }: { referralId: string; reason: string; ipAddress: string },
): Promise<PresentedReferral> {
  requireCallerIsPerson(caller);
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await requireMayOpen(trx, caller, referralId);
    const reason = requireReason(givenReason, { maxLength: 10_000 });
    const { referral } = await lockForAnyReader(trx, caller, referralId, at);
    const opening = {
      id: newId(at.getTime()),
      accountId: caller.accountId,
      accountName: caller.name,
      at,
      endsAt: new Date(at.getTime() + openForMs),
      reason,
    };
    if (sidesOf(caller, referral).includes('referrer')) await tellReferrer(trx, caller, referral, at);
    await insertOpening(trx, { ...opening, referralId: referral.id });
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.opened',
      subject: { type: 'referral', id: referral.id },
      details: { opening: opening.id, until: opening.endsAt.toISOString() },
    });
    const details = await loadDetails(trx, deps, [{ caller, referral }], at);
    return presentReferral(caller, referral, { ...details, gaveReason: true });
  });
}

/**
 * Tells those who look after the referral that a colleague opened it, once a day. They are not told when an
 * operator opens it, because the operator may be investigating one of them.
 */
async function tellReferrer(
  trx: Trx,
  { accountId }: Caller,
  { id: referralId }: Referral | Draft,
  at: Date,
): Promise<void> {
  const last = await lastOpenedAt(trx, referralId, accountId);
  if (last !== undefined && londonDate(last) === londonDate(at)) return;
  await addNotifications(trx, [{ referralId, kind: 'opened', side: 'referrer', actorId: accountId, at }]);
}

/** @throws Problem `forbidden` for everybody else, also if there is no such referral: so they do not learn whether there is one. */
async function requireMayOpen(trx: Trx, caller: Caller, id: string): Promise<void> {
  if (visibilityOf(caller).allSentReferrals) return;
  const referral = isUuid(id) ? await findReferralOrDraft(trx, id) : undefined;
  const view = referral && sidesOf(caller, referral).includes('referrer') && { caller, referral };
  if (view && (await isServiceHidden(trx, view))) return;
  throw new Problem(
    forbidden,
    'This is for operators, and for colleagues from whom the service is hidden. You already see everything that you may see.',
  );
}

/**
 * A page of the times that operators, or colleagues of the referrer, opened a referral with a reason, newest first.
 * @throws Problem `not-found`, `forbidden` for staff of the service.
 */
async function listReferralOpenings(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress, cursor, limit }: PagedListQuery & { referralId: string; ipAddress: string },
): Promise<PagedList<Opening>> {
  const at = deps.clock.now();
  const beforeId = readIdCursor(cursor);
  return inTransaction(deps.db, async (trx) => {
    const { referral } = await authoriseReferrerOrOperator(trx, caller, referralId, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.openings_read',
      subject: { type: 'referral', id: referral.id },
    });
    return pageOfRows(await listOpenings(trx, referral.id, { beforeId, limit: limit + 1 }), limit);
  });
}

export function presentOpening({ id, at, endsAt, accountName, reason }: Opening) {
  return { id, at: at.toISOString(), ends_at: endsAt.toISOString(), by: { name: accountName }, reason };
}

export const openingSchema = Type.Object(
  {
    id: Type.String(),
    at: moment,
    ends_at: moment,
    by: Type.Object({ name: Type.String() }),
    reason: Type.String(),
  },
  { title: 'Opening' },
);

/** The body, also used for the page’s form. */
export const newOpeningSchema = Type.Object(
  { reason: longText(`Why it has to be looked at. The referrer’s organisation reads it. ${reasonRule}.`) },
  { title: 'NewOpening', ...noOtherFields, examples: [openingExample] },
);

export function openingRoutes(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/open',
    {
      config: { access: withToken(), scope: 'records' },
      schema: {
        operationId: 'openReferral',
        tags,
        summary: 'Give a reason to see all of a referral',
        description:
          'Shows an operator the whole referral, its messages and files for an hour. Shows a colleague of the person who referred which restricted service it is, and what its staff wrote. The reason is kept, and shown to the organisation that made the referral.',
        params: idParams,
        body: newOpeningSchema,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            403: 'You are neither an operator nor a colleague from whom the service is hidden, or you are a system account.',
            404: notYours,
            409: restrictedOrErased,
            422: 'The reason says nothing.',
          }),
        },
      },
    },
    async (request, reply) => {
      const opening = { referralId: request.params.id, reason: request.body.reason, ipAddress: request.ip };
      return sendReferral(reply, await openReferral(deps, requireCaller(request), opening));
    },
  );

  app.get(
    '/api/referrals/:id/openings',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'listOpenings',
        tags,
        summary: 'List who opened a referral',
        description:
          'Every time that an operator of the site, or a colleague from whom the service is hidden, opened the referral: who, when, until when and why, newest first. For the referrer’s organisation, and for operators.',
        params: idParams,
        querystring: Type.Object(listQuery, noOtherFields),
        response: {
          200: listOf(openingSchema),
          ...problemAnswers({
            400: 'A parameter is not known or not of the right form.',
            401: noToken,
            403: 'This is for the referrer’s organisation.',
            404: notYours,
          }),
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const page = { referralId: request.params.id, ipAddress: request.ip, limit, cursor };
      const { items, next_cursor } = await listReferralOpenings(deps, requireCaller(request), page);
      return { items: items.map(presentOpening), next_cursor };
    },
  );
}
