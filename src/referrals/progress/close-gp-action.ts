import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction } from '../../platform/database/index.ts';
import { type App, emptyBody, problemAnswers, withToken } from '../../platform/http/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { lockForSides } from '../model/access/access.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { wrongState } from '../model/problems.ts';
import { isSent } from '../model/referral.ts';
import { setGpActions } from '../model/referrals-store.ts';
import {
  badBody,
  idParams,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';

/**
 * Closes something that the GP practice was asked to do, because it was done, or staff told the practice. Either side may
 * say so. Nobody is told, and the version stays the same. A second call changes nothing.
 * @throws Problem `not-found`, `forbidden`, `wrong-state` for a draft, `referral-restricted`, `referral-erased`.
 */
export async function closeGpAction(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, number, ipAddress }: { referralId: string; number: number; ipAddress: string },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral } = await lockForSides(trx, caller, referralId, at);
    if (!isSent(referral)) throw new Problem(wrongState, 'It is a draft: the practice was not asked yet.');
    const action = referral.content.gp_actions?.[number - 1];
    if (!action) throw new Problem(notFound);
    if (action.done_by_hand) return loadAndPresent(trx, deps, caller, referral, at);
    const done = { ...action, done_by_hand: { at: at.toISOString(), by: caller.name } };
    const gp_actions = referral.content.gp_actions!.with(number - 1, done);
    const changed = await setGpActions(trx, referral.id, gp_actions, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.gp_action_done',
      subject: { type: 'referral', id: referral.id },
      details: { number },
    });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

export function closeGpActionRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/gp-actions/:number/done-by-hand',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'closeGpAction',
        tags,
        summary: 'Say that the GP practice has done something, or that staff told it',
        description:
          'For one of `gp_actions`, by its number: it is then `done_by_hand` and no longer open. Both sides of the referral may say so. It needs no `If-Match`, the version stays, and nobody is told. Said again, it changes nothing.',
        params: Type.Object({
          ...idParams.properties,
          number: Type.String({ maxLength: 100, description: 'The number of the action.' }),
        }),
        body: emptyBody,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            403: `This is for the two sides of the referral.${orServiceHidden}`,
            404: `${notYours} Or it has no action of that number.`,
            409: `It is a draft. ${restrictedOrErased}`,
          }),
        },
      },
    },
    async (request, reply) => {
      const { id: referralId, number } = request.params;
      const target = { referralId, number: /^\d+$/.test(number) ? Number(number) : 0, ipAddress: request.ip };
      return sendReferral(reply, await closeGpAction(deps, requireCaller(request), target));
    },
  );
}
