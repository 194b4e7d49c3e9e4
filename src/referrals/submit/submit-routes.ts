import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type App, compileValidator, problemAnswers, withToken } from '../../platform/http/index.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { authorise } from '../model/access/access.ts';
import { requireKnownService } from '../model/access/hidden-services.ts';
import { listConfidentialChanges } from '../model/access/referrers-details.ts';
import { cannotRefer } from '../model/problems.ts';
import { newReferralExample, rerouteExample } from '../model/schemas/examples.ts';
import {
  type NewReferral,
  newDraftSchema,
  newReferralSchema,
  rerouteSchema,
} from '../model/schemas/new-referral.ts';
import {
  badBody,
  idempotencyHeaders,
  idParams,
  notYours,
  orServiceHidden,
  sendNewReferral,
  tags,
} from '../model/schemas/route-parts.ts';
import { requireUnsuccessful } from '../model/state-machine.ts';
import { requireUsable } from '../model/usable.ts';
import { requireRiskActedOn } from './checks/require-risk-acted-on.ts';
import { inputForReroute } from './draft-input.ts';
import type { Submission, SubmissionResult } from './submissions.ts';
import type { SubmitDeps } from './submit-referral.ts';

const createdReferral = Type.Ref('Referral', {
  description: 'The referral was made. `Location` has its address and `ETag` its version.',
});
const refusals = {
  ...badBody,
  403: 'The account is not a referrer’s.',
  404: notYours,
  409: 'Your organisation has an open referral of the person to this service; the NHS number is known with another name or date of birth (`person-mismatch`); your organisation was told that the person has died (`death-reported`); or the same request is still being worked on.',
  422: 'The service, the practice, the NHS number or the consent does not allow it (`cannot-refer`); nothing was done yet about a risk (`risk-not-acted-on`); the person is outside the ages or the area of the service (`does-not-fit`); you refer yourself (`refers-themselves`); or the idempotency key was used for another body (`idempotency-key-reused`).',
};

/** Checks a body against the one schema that it is meant for, so that `errors` says what is wrong with it. */
const checkDraftOrReferral: typeof compileValidator = (part) => {
  if (part.httpPart !== 'body') return compileValidator(part);
  const check = compileValidator({ ...part, schema: newReferralSchema });
  const checkDraft = compileValidator({ ...part, schema: newDraftSchema });
  return (body) =>
    (body as { status?: unknown } | null)?.status === 'draft' ? checkDraft(body) : check(body);
};

export function submitRoute(app: App, deps: SubmitDeps): void {
  app.post(
    '/api/referrals',
    {
      config: { access: withToken('referrer'), scope: 'referrals:write' },
      validatorCompiler: checkDraftOrReferral,
      // Before the schema is checked, so that a misspelled field does not hide whom to call.
      preValidation: async ({ body }) => requireRiskActedOn(deps, body, deps.clock.now()),
      schema: {
        operationId: 'createReferral',
        tags,
        summary: 'Make a referral, or a draft of one',
        description:
          'Refers a person to a service of the library. When this answers 201 the referral is stored and will be delivered to the service and, as the person agreed, to their GP practice. Follow it with `GET /api/referrals/{id}`. With `"status": "draft"` it is kept for your organisation alone, delivered to nobody, and only what is known has to be there.',
        headers: idempotencyHeaders,
        body: {
          title: 'ReferralOrDraft',
          oneOf: [newReferralSchema, newDraftSchema],
          examples: [newReferralExample],
        } as unknown as typeof newReferralSchema,
        response: { 201: createdReferral, ...problemAnswers(refusals) },
      },
    },
    async (request, reply) => {
      const made = await deps.referralIntake.submit({
        caller: requireCaller(request),
        input: request.body,
        ipAddress: request.ip,
        idempotencyKey: request.headers['idempotency-key'],
      });
      return sendNewReferral(reply, deps, made);
    },
  );
}

/** What was asked for one service must be asked again for another: consent, risk, and whether the service fits. */
type Reroute = Pick<
  NewReferral,
  | 'service_id'
  | 'consent'
  | 'agreement'
  | 'do_not_show_online'
  | 'person_page'
  | 'risk'
  | 'risk_acted_on'
  | 'fit_override'
  | 'mismatch_override'
  | 'namesake_override'
  | 'death_override'
  | 'allow_duplicate'
>;

/**
 * Refers the person of an unsuccessful referral to another service, for the same reasons.
 * @throws Problem `not-found`, `forbidden`, `referral-restricted`, `wrong-state`, and what `submit` throws.
 */
async function rerouteReferral(
  deps: SubmitDeps,
  caller: Caller,
  { id, reroute, ...submission }: { id: string; reroute: Reroute } & Omit<Submission, 'caller' | 'input'>,
): Promise<SubmissionResult> {
  const { referral, sides, changedByService } = await inTransaction(deps.db, async (trx) => {
    const authorised = await authorise(trx, caller, id, deps.clock.now());
    if (authorised.sides.includes('referrer'))
      await requireKnownService(trx, { caller, referral: authorised.referral });
    return { ...authorised, changedByService: await listConfidentialChanges(trx, authorised.referral) };
  });
  if (!sides.includes('referrer'))
    throw new Problem(forbidden, 'Only the referrer’s organisation can do that.');
  requireUsable(referral);
  requireUnsuccessful(referral);
  requireContactDetailsUnchanged(changedByService);
  const input = { ...inputForReroute(referral), ...reroute } as NewReferral;
  return deps.referralIntake.submit({ ...submission, caller, input });
}

/**
 * Do not pass on an address that a refuge entered, nor the referrer’s earlier one, which may lead to an abuser.
 * @throws Problem `cannot-refer`
 */
function requireContactDetailsUnchanged(changedByService: readonly string[]): void {
  if (changedByService.length === 0) return;
  const errors = changedByService.map((field) => ({
    pointer: `/${field.replaceAll('.', '/')}`,
    message: 'was changed by the service: ask the person',
    code: 'changed-by-service',
  }));
  throw new Problem(
    cannotRefer,
    'Nothing was sent. The service changed how the person is reached, and that is not passed on. Ask the person again, and make a referral with `reroutes` and what they say.',
    { errors },
  );
}

export function rerouteRoute(app: App, deps: SubmitDeps): void {
  app.post(
    '/api/referrals/:id/reroute',
    {
      config: { access: withToken('referrer'), scope: 'referrals:write' },
      preValidation: async ({ body }) => requireRiskActedOn(deps, body, deps.clock.now()),
      schema: {
        operationId: 'rerouteReferral',
        tags,
        summary: 'Refer the person to another service instead',
        description:
          'Makes a new referral with the same person and reasons, linked to this one (`reroutes`, `rerouted_to`), which was rejected, failed or cancelled. Ask the person first: they agreed to another service. `risk` is required if it was `yes` before. `agreement` is required if others agreed before, for a child under 16, and for somebody who was one when they agreed. If the person decided that the practice is told less, nobody else may share more here. What was not to be shown online stays so, unless `do_not_show_online` is false. If staff of a sensitive service changed how to reach the person, that is not passed on, and the answer is `422 cannot-refer`: ask the person for their details again. To change more than the service, make a referral with `reroutes` instead.',
        params: idParams,
        headers: idempotencyHeaders,
        body: { ...rerouteSchema, examples: [rerouteExample] } as typeof rerouteSchema,
        response: {
          201: createdReferral,
          ...problemAnswers({
            ...refusals,
            403: `The account is not one of the referrer’s organisation.${orServiceHidden}`,
            404: notYours,
            409: `${refusals[409]} Or the referral is not rejected, failed or cancelled.`,
          }),
        },
      },
    },
    async (request, reply) => {
      const submission = {
        id: request.params.id,
        reroute: request.body as Reroute,
        ipAddress: request.ip,
        idempotencyKey: request.headers['idempotency-key'],
      };
      return sendNewReferral(reply, deps, await rerouteReferral(deps, requireCaller(request), submission));
    },
  );
}
