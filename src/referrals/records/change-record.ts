import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { type Actor, auditRefusals, recordAudit, requireReason } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, problemAnswers, withToken } from '../../platform/http/index.ts';
import { isUuid, newId } from '../../platform/ids/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import type { RecordChange, ReferralDeps } from '../model/deps.ts';
import { reasonSchema, requireAnonymousReason } from '../model/operator-reason.ts';
import { loadAndPresent, type PresentedReferral } from '../model/present.ts';
import { wrongState } from '../model/problems.ts';
import {
  type Draft,
  openStatuses,
  type Referral,
  requireNotErased,
  requireUsable,
} from '../model/referral.ts';
import { erasureExample, liftingExample, restrictionExample } from '../model/schemas/examples.ts';
import { closed } from '../model/schemas/new-referral.ts';
import {
  badBody,
  idParams,
  notYours,
  sendReferral,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { findReferralOrDraft, lockReferral } from '../model/store.ts';
import { eraseContent } from './erasure-store.ts';
import { insertRestriction, liftRestriction } from './records-store.ts';

/** What operators do to a referral or draft because of the rights of the person in it, and why. */
export type RecordRequest = { referralId: string; reason: string; address: string };

/**
 * Restricts a referral: until that is lifted, neither side reads it or works with it, and nothing of it is sent.
 * @throws Problem `not-found`, `referral-restricted`, `referral-erased`, `unprocessable`.
 */
export function restrictReferral(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordRequest,
): Promise<PresentedReferral> {
  const { at, attempt } = auditAttempt(deps, caller, request, 'restricted');
  return auditRefusals(deps, attempt, () =>
    inTransaction(deps.db, async (trx) => {
      const { referral, reason } = await lockForOperator(trx, request);
      requireUsable(referral);
      const by = { accountId: caller.accountId, name: caller.name, reason, at };
      await insertRestriction(trx, referral.id, { ...by, id: newId(at.getTime()) });
      await afterRecordChange(deps, trx, { referral, kind: 'restricted', at }, attempt.actor, { reason });
      return presentChanged(deps, trx, caller, referral.id, at);
    }),
  );
}

/**
 * Lifts the restriction. Messages that waited are sent within a minute or two.
 * @throws Problem `not-found`, `wrong-state` if it is not restricted, `referral-erased`, `unprocessable`.
 */
export function unrestrictReferral(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordRequest,
): Promise<PresentedReferral> {
  const { at, attempt } = auditAttempt(deps, caller, request, 'unrestricted');
  return auditRefusals(deps, attempt, () =>
    inTransaction(deps.db, async (trx) => {
      const { referral, reason } = await lockForOperator(trx, request);
      if (referral.restrictedAt === null) throw new Problem(wrongState, 'It is not restricted.');
      const by = { accountId: caller.accountId, name: caller.name, reason, at };
      await liftRestriction(trx, referral.id, by);
      await afterRecordChange(deps, trx, { referral, kind: 'unrestricted', at }, attempt.actor, { reason });
      return presentChanged(deps, trx, caller, referral.id, at);
    }),
  );
}

/**
 * Erases what a referral says, for good. It must have ended, and must not be restricted: a restricted record may be needed in
 * court.
 * @throws Problem `not-found`, `wrong-state`, `referral-restricted`, `referral-erased`, `unprocessable`.
 */
export function eraseReferral(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordRequest,
): Promise<PresentedReferral> {
  const { at, attempt } = auditAttempt(deps, caller, request, 'erased');
  return auditRefusals(deps, attempt, () =>
    inTransaction(deps.db, async (trx) => {
      const { referral, reason } = await lockForOperator(trx, request);
      requireUsable(referral);
      if (openStatuses.includes(referral.status))
        throw new Problem(wrongState, `It is ${referral.status}: it has to be ended before it is erased.`);
      await eraseContent(trx, deps, referral.id, at);
      await afterRecordChange(deps, trx, { referral, kind: 'erased', at }, attempt.actor, { reason });
      return presentChanged(deps, trx, caller, referral.id, at);
    }),
  );
}

/** A refused attempt is audited as well: the refusal of a reason tells an operator what the person is called. */
function auditAttempt(
  { clock }: ReferralDeps,
  caller: Caller,
  { address }: RecordRequest,
  kind: RecordChange['kind'],
) {
  return { at: clock.now(), attempt: { actor: actorOf(caller, address), action: `referral.${kind}` } };
}

/**
 * @returns the referral and the tidied reason.
 * @throws Problem `not-found`, `referral-erased`, `unprocessable` for a reason that is too short or names the person.
 */
async function lockForOperator(
  trx: Trx,
  { referralId, reason: typed }: RecordRequest,
): Promise<{ referral: Referral | Draft; reason: string }> {
  const referral = isUuid(referralId) ? await lockReferral(trx, referralId) : undefined;
  if (!referral) throw new Problem(notFound);
  requireNotErased(referral);
  const reason = requireReason(typed);
  requireAnonymousReason(reason, referral.content);
  return { referral, reason };
}

/** What follows from the change: the same for the deliveries, the vacuum after an erasure, and the audit. */
export async function afterRecordChange(
  { referralListener }: Pick<ReferralDeps, 'referralListener'>,
  trx: Trx,
  change: RecordChange,
  actor: Actor,
  details: Record<string, unknown>,
): Promise<void> {
  const { referral, kind, at } = change;
  await referralListener.onRecordChange(trx, change);
  // Each erasure postpones the run by a minute, so that one run serves them all.
  if (kind === 'erased') await addKeyedJob(trx, 'vacuum-erased', {}, { key: 'vacuum-erased', inSeconds: 60 });
  const subject = { type: 'referral', id: referral.id };
  await recordAudit(trx, { at, actor, action: `referral.${kind}`, subject, details });
}

async function presentChanged(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  id: string,
  at: Date,
): Promise<PresentedReferral> {
  const referral = (await findReferralOrDraft(trx, id))!;
  return loadAndPresent(deps, trx, caller, referral, at);
}

type RecordAction = {
  name: string;
  operationId: string;
  summary: string;
  description: string;
  example: { reason: string };
  conflict: string;
  act: (deps: ReferralDeps, caller: Caller, request: RecordRequest) => Promise<PresentedReferral>;
};

const recordActions: readonly RecordAction[] = [
  {
    name: 'restrict',
    operationId: 'restrictReferral',
    summary: 'Restrict a referral',
    description:
      'The person asked that nobody works with what the referral says (UK GDPR, article 18). Until that is lifted neither side reads or changes it, lists show its reference, service and state alone, and nothing of it is sent.',
    example: restrictionExample,
    conflict: 'The referral is restricted already, or was erased.',
    act: restrictReferral,
  },
  {
    name: 'unrestrict',
    operationId: 'unrestrictReferral',
    summary: 'Lift the restriction of a referral',
    description: 'Both sides read it and work with it again, and what waited to be sent is sent.',
    example: liftingExample,
    conflict: 'The referral is not restricted, or was erased.',
    act: unrestrictReferral,
  },
  {
    name: 'erase',
    operationId: 'eraseReferral',
    summary: 'Erase what a referral says',
    description:
      'Takes away who the person is, all that is clinical, messages, files, and what was sent, for good. The reference, the service, the state and the dates are left. A referral that somebody has still to act on has to be ended first.',
    example: erasureExample,
    conflict: 'The referral is still open, is restricted, or was erased already.',
    act: eraseReferral,
  },
];

/** What operators do because of a person’s rights: one route for each action. */
export function recordRoutes(app: App, deps: ReferralDeps): void {
  for (const { name, example, conflict, act, ...described } of recordActions) {
    app.post(
      `/api/referrals/:id/${name}`,
      {
        config: { access: withToken('operator') },
        schema: {
          ...described,
          tags,
          params: idParams,
          body: Type.Object({ reason: reasonSchema }, { ...closed, examples: [example] }),
          response: {
            200: theReferral,
            ...problemAnswers({
              ...badBody,
              403: 'The account is not an operator’s.',
              404: notYours,
              409: conflict,
              422: 'The reason names the person, or is too short.',
            }),
          },
        },
      },
      async (request, reply) => {
        const recordRequest = {
          referralId: request.params.id,
          reason: request.body.reason,
          address: request.ip,
        };
        return sendReferral(reply, await act(deps, requireCaller(request), recordRequest));
      },
    );
  }
}
