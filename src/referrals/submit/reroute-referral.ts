import { type Caller, requireCaller } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type App, problemAnswers, withToken } from '../../platform/http/index.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { authorise } from '../model/access/access.ts';
import { requireKnownService } from '../model/access/hide-sensitive-services.ts';
import { listConfidentialChanges } from '../model/access/referrers-details.ts';
import { sendNewReferral } from '../model/presentation/http.ts';
import { cannotRefer } from '../model/problems.ts';
import { rerouteExample } from '../model/schemas/examples.ts';
import { type NewReferral, rerouteSchema } from '../model/schemas/new-referral.ts';
import {
  idempotencyHeaders,
  idParams,
  notYours,
  orServiceHidden,
  tags,
} from '../model/schemas/route-parts.ts';
import { requireUnsuccessful } from '../model/status/state-machine.ts';
import { requireUsable } from '../model/status/usable.ts';
import { requireRiskActedOn } from './checks/require-risk-acted-on.ts';
import type { Submission, SubmissionResult } from './checks/submissions.ts';
import { inputForReroute } from './draft-input.ts';
import type { SubmitDeps } from './submit-referral.ts';
import { createdReferral, submitRefusals } from './submit-routes.ts';

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
  | 'safety_notes'
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
 * An address that a refuge entered is not passed on, nor the referrer’s earlier one, to which an abuser may come.
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
          'Makes a new referral with the same person and reasons, linked to this one (`reroutes`, `rerouted_to`), which was rejected, failed or cancelled. Ask the person first: they agreed to another service. `risk` is required if it was `yes` before. If a message, a change, a note or the name of a file told of a danger since, `safety_notes` says what the new service must know of it, or that it is over: those are not passed on. `agreement` is required if others agreed before, for a child under 16, and for somebody who was one when they agreed. If the person decided that the practice is told less, nobody else may share more here. What was not to be shown online stays so, unless `do_not_show_online` is false. If staff of a sensitive service changed how to reach the person, that is not passed on, and the answer is `422 cannot-refer`: ask the person for their details again. To change more than the service, make a referral with `reroutes` instead.',
        params: idParams,
        headers: idempotencyHeaders,
        body: { ...rerouteSchema, examples: [rerouteExample] } as typeof rerouteSchema,
        response: {
          201: createdReferral,
          ...problemAnswers({
            ...submitRefusals,
            403: `The account is not one of the referrer’s organisation.${orServiceHidden}`,
            404: notYours,
            409: `${submitRefusals[409]} Or the referral is not rejected, failed or cancelled.`,
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
